// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the window: their table, what each does, which of them can be used now, and their keys (architecture
// 9.5).
#pragma once

#include "app/gui/preferences/action_table.h"
#include "app/gui/workspace/workspace.h"

#include <QObject>
#include <QPointer>

class QMainWindow;

namespace memplan::app {

class SettingsDialog;
class WindowServices;
struct WindowParts;

class Actions final : public QObject {
    Q_OBJECT
public:
    /// `parts` are filled while the window is built: before any action is used.
    Actions(QMainWindow* window, WindowServices& services, const WindowParts& parts);

    [[nodiscard]] ActionTable& table() { return table_; }
    [[nodiscard]] const ActionTable& table() const { return table_; }
    [[nodiscard]] QAction* action(const char* id) const { return table_.action(QString::fromLatin1(id)); }
    /// The document's page is in front, or another one, where few actions mean anything.
    void setWorking(bool on);
    void showPerspectives();  ///< their names in the menu
    void showSplit();
    void showTheme();  ///< which one is chosen, in the menu
    void applyShortcuts();

signals:
    void closeRequested();  ///< the open document
    void searchKeysChanged(const QString& keys);

private:
    void build();
    void addCommandActions();
    void addPlanActions();
    void savePerspective();
    void setSplit(Workspace::Split split);
    void chooseTheme(const char* theme);
    void focusPane(int direction);
    void showSettings();

    QMainWindow* window_;
    WindowServices& services_;
    const WindowParts& parts_;
    ActionTable table_{this};
    bool isWorking_ = false;
    QPointer<SettingsDialog> settings_;
};

}  // namespace memplan::app

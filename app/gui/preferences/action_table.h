// SPDX-License-Identifier: GPL-3.0-or-later
// The table of actions: menus, toolbar, shortcuts and the keyboard map all come from it (architecture
// 9.5, UX 21).
#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QMenu;
class QMenuBar;
class QWidget;

namespace memplan::app {

struct ActionRow {
    QString id;    ///< "file.open"
    QString menu;  ///< menu title, "menu/submenu" for one inside it; empty = in no menu
    QString text;
    QString icon;      ///< icon name, may be empty
    QString shortcut;  ///< portable text, several parted by "; "
    bool checkable = false;
    bool separatorBefore = false;
    std::function<void()> slot;
};

class ActionTable final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void add(std::vector<ActionRow> rows);
    [[nodiscard]] QAction* action(const QString& id) const;
    /// Other keys than the shipped ones, several parted by "; "; the tooltip follows.
    void setShortcut(const QString& id, const QString& keys);
    /// Single letters act only while a widget added here has the focus: elsewhere they search or write (UX 21.1).
    void addLetterWidget(QWidget* widget);
    void fillMenus(QMenuBar* bar, const QStringList& menuOrder);
    [[nodiscard]] QMenu* menu(const QString& title) const { return menus_.value(title); }  ///< after fillMenus()
    [[nodiscard]] const std::vector<ActionRow>& rows() const { return rows_; }

private:
    std::vector<ActionRow> rows_;
    QHash<QString, QAction*> actions_;
    QHash<QString, QMenu*> menus_;
};

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar: actions, the plan, the settings that the document's target puts there, perspectives and search (UX 3.1).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/targets/target_ui.h"

#include <QToolBar>

#include <vector>

class QMainWindow;

namespace memplan::app {

class ActionTable;
class BarFit;
class PaletteButton;
class Perspectives;
class PlanSwitcher;
class TargetSwitcher;

class ToolBar final : public QToolBar {
    Q_OBJECT
public:
    ToolBar(QMainWindow* window, DocumentController& controller, const ActionTable& actions,
            Perspectives* perspectives);

    [[nodiscard]] PlanSwitcher* plans() const { return plans_; }
    [[nodiscard]] PaletteButton* find() const { return find_; }
    void showSettings();  ///< those of the open document
    /// Shows what the kind of the open document has, and why it can not be turned where it can not.
    void fitToDocument();

signals:
    void findRequested();

private:
    /// A setting in the bar; `show` writes a value of the settings into its field.
    struct Field {
        const TargetUi* target = nullptr;
        const ToolSetting* setting = nullptr;
        QWidget* widget = nullptr;
        QAction* action = nullptr;
        std::function<void(const Settings&)> show;
    };
    void addSeparatorSpace();
    void addTarget();
    void addField(const TargetUi& target, const ToolSetting& setting);
    [[nodiscard]] Field makeChoice(const ToolSetting& setting, const SettingInfo& info);
    [[nodiscard]] Field makeCount(const ToolSetting& setting, const SettingInfo& info);
    [[nodiscard]] Field makeShare(const ToolSetting& setting, const SettingInfo& info);
    void change(const ToolSetting& setting, const QString& value);

    DocumentController& controller_;
    PlanSwitcher* plans_;
    TargetSwitcher* target_;
    QAction* targetAction_ = nullptr;
    PaletteButton* find_;
    BarFit* fit_;
    std::vector<Field> fields_;
    std::vector<QAction*> words_;
    bool filling_ = false;  ///< the fields are being set from the document
};

}  // namespace memplan::app

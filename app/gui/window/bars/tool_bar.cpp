// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/tool_bar.h"

#include "app/gui/preferences/action_table.h"
#include "app/gui/targets/targets.h"
#include "app/gui/window/bars/bar_fit.h"
#include "app/gui/window/bars/palette_button.h"
#include "app/gui/window/bars/plan_switcher.h"
#include "app/gui/window/bars/target_switcher.h"
#include "app/gui/window/docks/perspectives.h"
#include "engine/solve/solver.h"
#include "engine/target/target.h"
#include "widgets/kit/controls/offer.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMainWindow>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace memplan::app {
namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Target", text);
}

QLabel* makeWord(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    ui::withScale(label,
                  [label](const ui::Theme& theme) { label->setContentsMargins(theme.px(8), 0, theme.px(4), 0); });
    return label;
}

}  // namespace

ToolBar::ToolBar(QMainWindow* window, DocumentController& controller, const ActionTable& actions,
                 Perspectives* perspectives)
    : QToolBar(tr("Tools"), window), controller_(controller), plans_(new PlanSwitcher(this)),
      target_(new TargetSwitcher(this)), find_(new PaletteButton(this)) {
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonIconOnly);
    const auto add = [this, &actions](const char* id) { addAction(actions.action(QString::fromLatin1(id))); };
    add("file.open");
    add("file.save");
    addSeparatorSpace();
    add("edit.undo");
    add("edit.redo");
    addSeparatorSpace();
    add("plan.compile");
    if (auto* button = qobject_cast<QToolButton*>(widgetForAction(actions.action("plan.compile"))))
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    add("plan.cancel");
    addSeparatorSpace();
    addWidget(plans_);
    addTarget();
    for (const TargetUi& target : allTargetUis())
        for (const ToolSetting& setting : target.toolBar)
            addField(target, setting);
    addSeparatorSpace();
    add("plan.automatic");
    add("plan.follow");
    add("plan.compare");
    add("file.export");
    auto* spacer = new QWidget(this);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(spacer);
    std::vector<QAction*> end{addWidget(new PerspectiveBar(perspectives, this))};
    connect(find_, &PaletteButton::clicked, this, &ToolBar::findRequested);
    end.push_back(addWidget(find_));
    fit_ = new BarFit(window, {this, perspectives, find_, end, words_});
    connect(fit_, &BarFit::findRequested, this, &ToolBar::findRequested);
}

void ToolBar::addSeparatorSpace() {
    auto* line = new QWidget(this);
    ui::setScaledSize(line, 9, 20);
    addWidget(line);
}

void ToolBar::addTarget() {
    words_.push_back(addWidget(makeWord(tr("Machine"), this)));
    targetAction_ = addWidget(target_);
}

void ToolBar::addField(const TargetUi& target, const ToolSetting& setting) {
    const SettingInfo& info = *findSetting(setting.word.key);
    Field field = info.type == SettingType::Enum  ? makeChoice(setting, info)
                  : info.type == SettingType::Int ? makeCount(setting, info)
                                                  : makeShare(setting, info);
    field.target = &target;
    field.setting = &setting;
    field.widget->setObjectName(QString::fromLatin1(setting.objectName));
    field.widget->setAccessibleName(translated(setting.help));
    field.widget->setToolTip(translated(setting.help));
    if (setting.width > 0) ui::setScaledMinimumWidth(field.widget, setting.width);
    words_.push_back(addWidget(makeWord(translated(setting.word.title), this)));
    field.action = addWidget(field.widget);
    fields_.push_back(std::move(field));
}

/// The values that the setting takes; address solvers of the engine in their own order, each with its line of help.
ToolBar::Field ToolBar::makeChoice(const ToolSetting& setting, const SettingInfo& info) {
    auto* box = new QComboBox(this);
    const auto solvers = solve::allSolvers();
    const bool isOfSolvers = std::ranges::any_of(solvers, [&](const auto* s) { return s->id() == info.defaultValue; });
    for (const solve::Solver* s : solvers) {
        if (!isOfSolvers) break;
        box->addItem(ui::fromStd(std::string(s->id())));
        box->setItemData(box->count() - 1, ui::fromStd(std::string(s->help())), Qt::ToolTipRole);
    }
    for (const auto& value : info.allowed) {
        if (!isOfSolvers) box->addItem(ui::fromStd(std::string(value)));
    }
    connect(box, &QComboBox::currentTextChanged, this, [this, &setting](const QString& id) { change(setting, id); });
    const auto show = [box, &setting](const Settings& s) {
        box->setCurrentText(ui::fromStd(s.text(setting.word.key)));
    };
    return {nullptr, nullptr, box, nullptr, show};
}

ToolBar::Field ToolBar::makeCount(const ToolSetting& setting, const SettingInfo& info) {
    auto* box = new QSpinBox(this);
    box->setRange(static_cast<int>(info.min), static_cast<int>(info.max));
    box->setKeyboardTracking(false);
    if (setting.atZero != nullptr && box->minimum() == 0) box->setSpecialValueText(translated(setting.atZero));
    connect(box, &QSpinBox::valueChanged, this, [this, box, &setting](int n) {
        const int step = box->singleStep(), least = std::max(box->minimum(), setting.multipleOf.empty() ? 0 : step);
        const int whole = std::max(least, (n + step / 2) / step * step);
        if (!filling_ && whole != n) return box->setValue(whole);  // what was typed goes to the nearest multiple
        change(setting, QString::number(n));
    });
    const auto show = [box, &setting](const Settings& s) {
        if (!setting.multipleOf.empty()) box->setSingleStep(static_cast<int>(s.integer(setting.multipleOf)));
        box->setValue(static_cast<int>(s.integer(setting.word.key)));
    };
    return {nullptr, nullptr, box, nullptr, show};
}

ToolBar::Field ToolBar::makeShare(const ToolSetting& setting, const SettingInfo& info) {
    auto* box = new QDoubleSpinBox(this);
    box->setLocale(QLocale::c());
    box->setRange(info.min, info.max);
    box->setSingleStep(0.01);
    box->setDecimals(2);
    box->setKeyboardTracking(false);
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [this, &setting](double f) { change(setting, QString::number(f, 'f', 2)); });
    const auto show = [box, &setting](const Settings& s) { box->setValue(s.number(setting.word.key)); };
    return {nullptr, nullptr, box, nullptr, show};
}

void ToolBar::change(const ToolSetting& setting, const QString& value) {
    if (filling_ || controller_.document() == nullptr) return;
    controller_.document()->changeSetting(keyText(setting.word.key), value);
}

void ToolBar::showSettings() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    const QScopedValueRollback<bool> guard(filling_, true);
    for (const Field& field : fields_)
        field.show(document->settings());
}

void ToolBar::fitToDocument() {
    const Document& document = *controller_.document();
    const DocumentKind kind = document.kind();
    const TargetUi& target = targetUi(document.target());
    for (const Field& field : fields_) {
        const bool isOfKind =
            kind == DocumentKind::Graph || (kind == DocumentKind::BufferList && field.setting->isOfList);
        field.action->setVisible(isOfKind && field.target == &target);
    }
    targetAction_->setVisible(target_->offer(*controller_.document(), allTargets()));
    fit_->fit();
    const QString why = kind == DocumentKind::BufferList ? QString() : document.whyFixed();
    for (const Field& field : fields_)
        ui::offer(field.widget, why);
}

}  // namespace memplan::app

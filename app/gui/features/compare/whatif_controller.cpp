// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/whatif_controller.h"

#include "app/gui/features/compare/whatif_choices.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/gantt/look/gantt_overlay.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

const TargetUi& uiOf(const Document& document) {
    return targetUi(document.target());
}

constexpr int kWidest = 4;  ///< times the document's own width

/// Empty for a setting that the target does not have.
QString axisTitle(const SettingWord& word) {
    return word.key.empty() ? QString() : QCoreApplication::translate("Target", word.title);
}

QString reserveText(double f) {
    return QString::number(f, 'f', 2);
}

}  // namespace

WhatIfController::WhatIfController(DocumentController& controller, WindowServices& services, QWidget* page,
                                   QWidget* window)
    : QObject(window), controller_(controller), workspace_(services.views()), panel_(new ui::WhatIfPanel(page)),
      strip_(new ui::Strip(page)) {
    services.showTask(task_);
    debounce_.setSingleShot(true);
    debounce_.setInterval(kDebounceMs);
    connect(&debounce_, &QTimer::timeout, this, &WhatIfController::start);
    connect(&task_, &BackgroundTask::failed, panel_,
            [this] { panel_->setNotice(tr("No plan with these values: the program failed, see the log")); });
    connect(&task_, &BackgroundTask::cancelled, this, [this] {
        if (!isForgetting_) leave();
    });
    connect(panel_, &ui::WhatIfPanel::valuesChanged, this, &WhatIfController::valuesChanged);
    connect(panel_, &ui::WhatIfPanel::applyRequested, this, &WhatIfController::apply);
    connect(panel_, &ui::WhatIfPanel::keepRequested, this, &WhatIfController::keep);
    connect(panel_, &ui::WhatIfPanel::resetRequested, this, &WhatIfController::leave);
    connect(strip_, &ui::Strip::triggered, this, [this](const QString& key) {
        if (key == u"apply") return apply();
        if (key == u"keep") return keep();
        leave();
    });
    connect(&controller_, &DocumentController::documentOpened, this, [this] {
        Document* document = controller_.document();
        forget();
        connect(document, &Document::currentChanged, this, [this] {
            forget();
            showBase();
        });
        connect(document, &Document::settingsChanged, this, &WhatIfController::leave);
        connect(document, &Document::hintsChanged, this, &WhatIfController::leave);
        connect(document, &Document::targetChanged, this, [this] {
            leave();
            showBase();
        });
        showBase();
        panel_->setOffered(document->whyFixed());
    });
    connect(&controller_, &DocumentController::documentClosed, this, &WhatIfController::forget);
    window->installEventFilter(this);
}

/// Escape reaches the window when no view had a use for it.
bool WhatIfController::eventFilter(QObject* watched, QEvent* event) {
    const bool isEscape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!isEscape || !isOn()) return QObject::eventFilter(watched, event);
    leave();
    return true;
}

ui::WhatIfValues WhatIfController::ownValues() const {
    const Document& document = *controller_.document();
    const TargetUi& target = uiOf(document);
    const Settings& settings = document.settings();
    const bool hasCount = !target.trialCount.key.empty(), hasShare = !target.trialShare.key.empty();
    return {hasCount ? static_cast<int>(settings.integer(target.trialCount.key)) : 1,
            hasShare ? settings.number(target.trialShare.key) : 0, ownChoices(document)};
}

void WhatIfController::showBase() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    panel_->setChoices(document->kind() == DocumentKind::Graph ? whatIfChoices(*document)
                                                               : std::vector<ui::WhatIfChoice>());
    preset_ = fromStd(document->settings().text("preset"));
    const TargetUi& target = uiOf(*document);
    panel_->setAxes(axisTitle(target.trialCount), axisTitle(target.trialShare));
    const SettingInfo* count = findSetting(target.trialCount.key);
    const ui::WhatIfValues own = ownValues();
    int most = count == nullptr ? 1 : static_cast<int>(count->max), step = 1;
    if (!target.trialCountStep.empty()) {
        // A count with a step is a width: a slider over all that it may be would jump over what is worth a trial.
        step = static_cast<int>(document->settings().integer(target.trialCountStep));
        most = std::min(most, kWidest * std::max(own.cores, step));
    }
    panel_->setBase(own, most, step);
    const PlanEntry* entry = target.isShareOfMemory ? document->current() : nullptr;
    panel_->setUsable(entry == nullptr ? 0 : entry->plan->memory.capacity,
                      entry == nullptr ? 0 : entry->plan->memory.physical);
}

void WhatIfController::valuesChanged(bool isSettled) {
    const Document* document = controller_.document();
    if (document == nullptr || !document->isPlanned() || document->current() == nullptr) return;
    followPreset(*document);
    if (panel_->values() == ownValues()) return leave();
    if (isSettled || controller_.documentSize() <= kWhileMovingOps) debounce_.start();
}

/// The choices that a preset makes show what it chooses; those that the user made stay.
void WhatIfController::followPreset(const Document& document) {
    std::map<QString, QString> choices = panel_->values().choices;
    const QString preset = choices[QStringLiteral("preset")];
    if (preset.isEmpty() || preset == preset_) return;
    const std::map<QString, QString> before = choicesUnder(document, preset_), now = choicesUnder(document, preset);
    preset_ = preset;
    for (auto& [key, value] : choices)
        if (const auto old = before.find(key); old != before.end() && old->second == value) value = now.at(key);
    panel_->showChoices(choices);
}

void WhatIfController::start() {
    const Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    CompileRequest request = document->request();
    const ui::WhatIfValues wanted = panel_->values();
    const ui::WhatIfValues own = ownValues();
    for (const auto& [key, value] : changedSettings(*document, own, wanted))
        (void)request.settings.set(key.toStdString(), value.toStdString());
    // A preset sets what nobody set: the sliders' values stand even then.
    if (wanted.cores != own.cores)
        (void)request.settings.set(uiOf(*document).trialCount.key, std::to_string(wanted.cores));
    if (wanted.reserve != own.reserve)
        (void)request.settings.set(uiOf(*document).trialShare.key, reserveText(wanted.reserve).toStdString());
    request.hints = document->graphHints();
    const std::vector<Hint> hints = hintsFor(*document, wanted);
    request.hints.insert(request.hints.end(), hints.begin(), hints.end());
    if (const auto allowed = request.settings.check(); !allowed)
        return panel_->setNotice(fromStd(allowed.error().primary().message));
    run(request, {trialText(*document, own, wanted), [this, wanted] { applyValues(wanted); }});
}

void WhatIfController::tryOut(const CompileRequest& request, const QString& text, const std::function<void()>& apply) {
    const Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    leave();  // one trial at a time
    run(request, {text, apply});
}

void WhatIfController::run(const CompileRequest& request, const Trial& trial) {
    task_.start(tr("what-if"), [this, request, trial](const RunControl& control) -> BackgroundTask::Finish {
        auto outcome = std::make_shared<CompileOutcome>(compile(request, control));
        return [this, outcome, trial] {
            if (outcome->plan) return show(outcome->plan, trial);
            const Diagnostic& d = outcome->failure->error.primary();
            panel_->setNotice(tr("No plan with these values: %1 %2").arg(fromStd(d.code), fromStd(d.message)));
        };
    });
}

void WhatIfController::show(const PlanPtr& plan, const Trial& trial) {
    Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    const PlanEntry& base = *document->current();
    auto compared = std::make_shared<ui::Compared>();
    compared->a = base.plan;
    compared->b = plan;
    compared->nameA = base.name;
    compared->nameB = tr("what-if");
    compared->result = compare::comparePlans(*base.plan, *plan);
    if (!isOn()) emit shown();
    plan_ = plan;
    trial_ = trial;
    const QString name = tr("What-if on %1: %2").arg(base.name.section(QLatin1Char(':'), 0, 0), trial.text);
    document->showInstead(plan, name, ShownPlan::Kind::Preview);
    auto overlay = std::make_shared<ui::GanttOverlay>(ui::ganttOverlay(*base.plan, *plan, compared->result.match));
    overlay->otherName = base.name;
    overlay->arrows.clear();  // two plans that differ in everything would be a thicket
    if (auto* gantt = qobject_cast<ui::GanttView*>(workspace_.view(QStringLiteral("gantt"))))
        gantt->setOverlay(overlay);
    panel_->setComparison(compared);
    panel_->setUsable(plan->memory.capacity, plan->memory.physical);
    showStrip(base.name);
}

void WhatIfController::showStrip(const QString& base) {
    strip_->clearActions();
    strip_->setNotice(ui::Strip::Kind::Info, QStringLiteral("what-if"),
                      tr("What-if plan, not kept: %1. Dashed: %2").arg(trial_.text, base));
    strip_->addAction(tr("Apply"), QStringLiteral("apply"));
    strip_->addAction(tr("Keep"), QStringLiteral("keep"));
    strip_->addAction(tr("Leave (Esc)"), QStringLiteral("leave"));
    strip_->show();
}

void WhatIfController::forget() {
    const QScopedValueRollback<bool> guard(isForgetting_, true);
    debounce_.stop();
    task_.cancel();
    plan_.reset();
    strip_->hide();
}

void WhatIfController::leave() {
    const bool wasOn = isOn();
    forget();
    Document* document = controller_.document();
    if (wasOn && document != nullptr) document->showCurrent();
    showBase();
}

void WhatIfController::apply() {
    Document* document = controller_.document();
    if (document == nullptr || !isOn()) return;
    const PlanPtr plan = plan_;
    const Trial trial = trial_;
    leave();
    // The plan is in the history before its settings are in force, so that nothing is compiled again.
    if (!document->showStored(plan->inputHash)) document->addPlan(plan);
    document->closeEdit();
    trial.apply();
    document->closeEdit();
}

void WhatIfController::applyValues(const ui::WhatIfValues& values) {
    Document* document = controller_.document();
    const ui::WhatIfValues own = ownValues();
    const QString text = trialText(*document, own, values);
    const std::vector<Hint> hints = hintsFor(*document, values);
    document->undoStack().beginMacro(tr("What-if: %1").arg(text));
    for (const auto& [key, value] : changedSettings(*document, own, values))
        document->changeSetting(key, value);
    if (values.cores != own.cores)
        document->changeSetting(keyText(uiOf(*document).trialCount.key), QString::number(values.cores));
    if (values.reserve != own.reserve)
        document->changeSetting(keyText(uiOf(*document).trialShare.key), reserveText(values.reserve));
    document->setHints(text, hints);
    document->undoStack().endMacro();
}

void WhatIfController::keep() {
    Document* document = controller_.document();
    if (document == nullptr || !isOn()) return;
    const PlanPtr plan = plan_;
    const PlanPtr base = document->current()->plan;
    leave();
    document->addPlan(plan, tr("what-if"));
    const auto& plans = document->plans();
    const auto at = std::find_if(plans.begin(), plans.end(), [&](const PlanEntry& e) { return e.plan == base; });
    if (at != plans.end()) document->setCurrent(static_cast<int>(at - plans.begin()));
}

}  // namespace memplan::app

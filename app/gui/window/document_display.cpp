// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/document_display.h"

#include "app/gui/document/measured.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/window/bars/instance_bar.h"
#include "app/gui/window/bars/plan_switcher.h"
#include "app/gui/window/bars/tool_bar.h"
#include "app/gui/window/commands/actions.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/status/notices.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/window/status/waiting.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/views/problems/problems_view.h"

namespace memplan::app {

DocumentDisplay::DocumentDisplay(const WindowParts& parts, const Bars& bars, QObject* parent)
    : QObject(parent), parts_(parts), bars_(bars) {
    bars_.facts.setProblemText([this] { return parts_.workspace->problems()->countText(); });
    connect(parts_.proof, &ProofController::badgeChanged, &bars_.facts, &StatusFacts::setProof);
    connect(parts_.proof, &ProofController::problemsChanged, this, &DocumentDisplay::showCounts);
    connect(parts_.records, &RecordsController::problemsChanged, this, &DocumentDisplay::showCounts);
    connect(parts_.workspace->problems(), &ui::ProblemsView::countsChanged, this, &DocumentDisplay::showCounts);
    connect(parts_.compare, &CompareController::onChanged, this, &DocumentDisplay::comparingChanged);
}

QAction& DocumentDisplay::action(const char* id) const {
    return *bars_.actions.action(id);
}

void DocumentDisplay::follow(Document& document) {
    bars_.tools.plans()->setDocument(&document);
    shownPlanChanged();
    bars_.instances.setDocument(&document);
    connect(&document, &Document::shownChanged, this, &DocumentDisplay::shownPlanChanged);
    connect(&document, &Document::currentChanged, this, &DocumentDisplay::currentPlanChanged);
    connect(&document, &Document::stateChanged, this, &DocumentDisplay::showState);
    connect(&document, &Document::settingsChanged, &bars_.tools, &ToolBar::showSettings);
    connect(&document, &Document::targetChanged, this, [this] {
        fitToKind();
        emit titleChanged();
    });
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &DocumentDisplay::showState);
    connect(&document, &Document::modifiedChanged, this, &DocumentDisplay::titleChanged);
    connect(&document, &Document::savedAsChanged, this, &DocumentDisplay::titleChanged);
    bars_.tools.showSettings();
    action("plan.automatic").setChecked(parts_.controller->automatic());
}

void DocumentDisplay::clear() {
    bars_.notices.planStrip()->hide();
    bars_.tools.plans()->setDocument(nullptr);
    bars_.instances.setDocument(nullptr);
    shownPlanChanged();
}

void DocumentDisplay::currentPlanChanged() {
    const Document& document = *parts_.controller->document();
    const PlanEntry& entry = *document.current();
    Docks& docks = *parts_.docks;
    docks.setScope(DockId::Outline, ui::plural(static_cast<qint64>(entry.plan->ops.size()), tr("op"), tr("ops")));
    for (const DockId tool : {DockId::WhatIf, DockId::Sweep})
        docks.setScope(tool, entry.name);
    parts_.workspace->setMeasured(measuredComparison(document, parts_.controller->lastRequest().sample));
    showCounts();
    bars_.tools.showSettings();
    emit titleChanged();
    if (!isFirst_) return;
    docks.raise(entry.plan->problems.empty() ? DockId::Buffers : DockId::Problems);
    isFirst_ = false;
    emit firstPlan();
}

/// A trial, and a plan that is there to be compared, stand in the status bar and in the closed list of plans; what
/// failed has no figures of its own.
void DocumentDisplay::shownPlanChanged() {
    const Document* document = parts_.controller->document();
    const ShownPlan shown = document == nullptr ? ShownPlan() : document->shown();
    const bool isTrial = shown.kind == ShownPlan::Kind::Preview;
    const bool isInstead = isTrial || shown.kind == ShownPlan::Kind::Compared;
    if (shown.plan != nullptr) parts_.workspace->setPlanName(shown.name);
    bars_.facts.setInstead(isInstead ? shown.plan : nullptr, isTrial);
    bars_.facts.showDocument(document);
    bars_.tools.plans()->setInstead(isInstead ? shown.name : QString(), isTrial);
}

void DocumentDisplay::showState() {
    Document* document = parts_.controller->document();
    bars_.facts.showDocument(document);
    action("plan.cancel").setEnabled(document != nullptr && document->state() == PlanState::Compiling);
    bars_.waiting.show();
    if (document == nullptr) return;
    const bool hasFailed = document->failure() && document->state() == PlanState::Failed;
    parts_.workspace->problems()->setFailure(hasFailed ? document->failure()->error.diagnostics
                                                       : std::vector<Diagnostic>());
    action("edit.undo").setEnabled(document->undoStack().canUndo());
    action("edit.redo").setEnabled(document->undoStack().canRedo());
    bars_.notices.showState();
    emit titleChanged();
}

void DocumentDisplay::comparingChanged(bool on) {
    action("plan.compare").setChecked(on);
    action("compare.swap").setEnabled(on);
    bars_.facts.setComparing(on);
    showState();
}

/// In the titles of the tables and in the status bar.
void DocumentDisplay::showCounts() {
    parts_.docks->showCounts();
    bars_.facts.showDocument(parts_.controller->document());
}

void DocumentDisplay::fitToKind() {
    const Document* document = parts_.controller->document();
    if (document == nullptr) return;
    const DocumentKind kind = document->kind();
    const bool isList = kind == DocumentKind::BufferList;
    parts_.workspace->setHasOps(!isList);
    bars_.instances.setVisible(isList);
    parts_.docks->fitTo(kind, document->target());
    bars_.tools.fitToDocument();
    for (const char* id : {"plan.compile", "plan.cancel", "plan.automatic"})
        action(id).setVisible(kind != DocumentKind::PlanFile);
}

}  // namespace memplan::app

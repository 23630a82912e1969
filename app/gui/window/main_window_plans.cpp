// SPDX-License-Identifier: GPL-3.0-or-later
// The window's tools over plans: comparison, what-if, sweep, side information.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/sweep_controller.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/features/solver/solver_controller.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/actions.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/notices.h"
#include "app/gui/window/plan_switcher.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/kit/controls/strip.h"
#include "widgets/kit/controls/wheel_pass.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/records/side_view.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QScrollArea>

namespace memplan::app {

namespace {

/// With large text a panel is higher than its dock: it is scrolled and does not make the window higher.
QWidget* scrolled(QWidget* panel, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(panel);
    ui::passWheelTo(area);
    area->setMinimumWidth(panel->minimumSizeHint().width());
    return area;
}

}  // namespace

void MainWindow::buildPlanTools() {
    auto* compare = new CompareController(controller_, *workspace_, documentPage_, this);
    parts_->compare = compare;
    connect(keeper_, &DocumentKeeper::compareRequested, compare, &CompareController::compareWithDisk);
    connect(compare, &CompareController::viewMade, this,
            [this](QWidget* view) { actions_->table().addLetterWidget(view); });
    actions_->table().addLetterWidget(compare->changes()->table());
    docks_->add(DockId::Compare, compare->changes());
    connect(compare, &CompareController::onChanged, this, [this](bool on) {
        actions_->action("plan.compare")->setChecked(on);
        actions_->action("compare.swap")->setEnabled(on);
        facts_->setComparing(on);
        facts_->showDocument(controller_.document());
        if (on) docks_->show(DockId::Compare);
        docks_->makeRoomToCompare(on);
        if (!on) docks_->dock(DockId::Compare)->hide();
    });
    connect(compare, &CompareController::comparisonChanged, docks_,
            [this](int changesFound) { docks_->setCount(DockId::Compare, changesFound); });
    connect(parts_->perspectives, &Perspectives::currentChanged, docks_, &Docks::forgetRoom);
    connect(parts_->perspectives, &Perspectives::currentChanged, compare, &CompareController::yield);
    auto* whatIf = new WhatIfController(controller_, *workspace_, documentPage_, this);
    parts_->whatIf = whatIf;
    docks_->add(DockId::WhatIf, scrolled(whatIf->panel(), this));
    auto* sweep = new SweepController(controller_, this);
    docks_->add(DockId::Sweep, scrolled(sweep->panel(), this));
    connect(whatIf, &WhatIfController::shown, compare, [compare] { compare->setOn(false); });
    connect(compare, &CompareController::onChanged, whatIf, [whatIf](bool on) {
        if (on) whatIf->leave();
    });
    connect(parts_->solver, &SolverController::compareRequested, compare, &CompareController::compareWithPlan);
    buildSide();
}

/// What the original compiler recorded of the same kernels. The dock shows up when there is some.
void MainWindow::buildSide() {
    auto* side = new RecordsController(controller_, *workspace_, this);
    parts_->side = side;
    QDockWidget* dock = docks_->add(DockId::Side, side->view(), [side] { return side->view()->count(); });
    connect(side, &RecordsController::attached, this, [this] {
        keeper_->strip()->hide();
        docks_->show(DockId::Side);
    });
    connect(side, &RecordsController::failed, this,
            [this](const QString& path, const Error& error) { notices_->showNotAttached(path, error); });
    connect(side, &RecordsController::problemsChanged, this, &MainWindow::showTableCounts);
    // Explore has a tab for it while there is something to see.
    const auto fit = [this, side, dock] {
        if (parts_->perspectives->current() == 0 && side->view()->count() > 0) dock->show();
    };
    connect(side, &RecordsController::problemsChanged, dock, [fit, side, dock] {
        // Once: a tab that was closed stays closed when the plan changes.
        if (dock->property("sources").toInt() == 0) fit();
        dock->setProperty("sources", side->view()->count());
    });
    connect(parts_->perspectives, &Perspectives::currentChanged, dock, fit);
}

/// A trial stands in the status bar and in the closed list of plans; what failed has no figures of its own.
void MainWindow::shownPlanChanged() {
    const Document* document = controller_.document();
    const ShownPlan shown = document == nullptr ? ShownPlan() : document->shown();
    const bool isPreview = shown.kind == ShownPlan::Kind::Preview;
    if (shown.plan != nullptr) workspace_->setPlanName(shown.name);
    facts_->setTrial(isPreview ? shown.plan : nullptr);
    facts_->showDocument(document);
    toolBar_->plans()->setTrial(isPreview ? shown.name : QString());
}

CompareController& MainWindow::comparing() const {
    return *parts_->compare;
}

FixController& MainWindow::fixes() const {
    return parts_->hints->fixes();
}

/// The counts in the titles of the tables.
void MainWindow::showTableCounts() {
    docks_->showCounts();
    facts_->showDocument(controller_.document());
}

}  // namespace memplan::app

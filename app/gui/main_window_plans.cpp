// SPDX-License-Identifier: GPL-3.0-or-later
// The window's tools over several plans: comparison, what-if, sweep.
#include "compare/changes_view.h"
#include "compare/compare_bridge.h"
#include "compare/sweep_bridge.h"
#include "compare/whatif_bridge.h"
#include "main_window.h"
#include "shell/command_parts.h"
#include "solver_bridge.h"
#include "sweep/sweep_panel.h"
#include "workspace.h"

#include <QDockWidget>

namespace memplan::app {

void MainWindow::addPlanActions() {
    const QString plan = tr("&Plan");
    actions_.add({
        {"file.openCompare", tr("&File"), tr("Open for co&mparison..."), "", "Ctrl+Shift+O", false, false,
         [this] {
             if (controller_.document() == nullptr) return askOpen();
             parts_->compare->askFile();
         }},
        {"plan.compare", plan, tr("Com&pare plans"), "compare", "Ctrl+D", true, true,
         [this] { parts_->compare->setOn(actions_.action("plan.compare")->isChecked()); }},
        {"compare.swap", plan, tr("S&wap A and B"), "swap-a-b", "X", false, false, [this] { parts_->compare->swap(); }},
        {"plan.compareSaved", plan, tr("Compare with &before my changes"), "", "", false, false,
         [this] { parts_->compare->compareWithSaved(); }},
    });
    actions_.action("compare.swap")->setEnabled(false);
}

void MainWindow::buildPlanTools(QDockWidget* beside) {
    auto* compare = new CompareBridge(controller_, *workspace_, documentPage_, this);
    parts_->compare = compare;
    QDockWidget* changes =
        addDock(QStringLiteral("compareDock"), tr("Changes"), compare->changes(), Qt::BottomDockWidgetArea);
    if (beside != nullptr) tabifyDockWidget(beside, changes);
    changes->hide();
    connect(compare, &CompareBridge::onChanged, this, [this, compare](bool on) {
        actions_.action("plan.compare")->setChecked(on);
        actions_.action("compare.swap")->setEnabled(on);
        if (on) showDock(QStringLiteral("compareDock"));
        for (QDockWidget* dock : docks_)
            if (!on && dock->widget() == compare->changes()) dock->hide();
    });
    connect(compare, &CompareBridge::comparisonChanged, this, [this, compare](int changesFound) {
        for (QDockWidget* dock : docks_)
            if (dock->widget() == compare->changes())
                dock->setWindowTitle(tr("Changes") + QStringLiteral("\u2009") + QString::number(changesFound));
    });
    // An arrangement is about one plan.
    connect(parts_->perspectives, &Perspectives::currentChanged, compare, &CompareBridge::yield);
    auto* whatIf = new WhatIfBridge(controller_, *workspace_, documentPage_, this);
    addDock(QStringLiteral("whatIfDock"), tr("What-if"), whatIf->panel(), Qt::RightDockWidgetArea)->hide();
    auto* sweep = new SweepBridge(controller_, this);
    addDock(QStringLiteral("sweepDock"), tr("Sweep"), sweep->panel(), Qt::RightDockWidgetArea)->hide();
    connect(whatIf, &WhatIfBridge::shown, compare, [compare] { compare->setOn(false); });
    connect(compare, &CompareBridge::onChanged, whatIf, [whatIf](bool on) {
        if (on) whatIf->leave();
    });
    if (auto* solver = findChild<SolverBridge*>())
        connect(solver, &SolverBridge::compareRequested, compare, &CompareBridge::compareWithPlan);
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// The window's tools over plans: comparison, what-if, sweep, side information.
#include "app/gui/features/compare/compare_bridge.h"
#include "app/gui/features/compare/sweep_bridge.h"
#include "app/gui/features/compare/whatif_bridge.h"
#include "app/gui/features/proof/proof_bridge.h"
#include "app/gui/features/records/side_bridge.h"
#include "app/gui/features/solver/solver_bridge.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/command_parts.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/plan_switcher.h"
#include "app/gui/window/status_facts.h"
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

void MainWindow::addPlanActions() {
    const QString plan = tr("&Plan");
    actions_.add({
        {"file.openCompare", tr("&File"), tr("Open for co&mparison..."), "", "Ctrl+Shift+O", false, false,
         [this] {
             if (controller_.document() == nullptr) return askOpen();
             parts_->compare->askFile();
         }},
        {"file.attachSide", tr("&File"), tr("A&ttach side information..."), "", "", false, false,
         [this] { parts_->side->ask(); }},
        {"plan.prove", plan, tr("Pr&ove plan"), "check", "Ctrl+F5", false, true, [this] { parts_->proof->prove(); }},
        {"plan.compare", plan, tr("Com&pare plans"), "compare", "Ctrl+D", true, true,
         [this] { parts_->compare->setOn(actions_.action("plan.compare")->isChecked()); }},
        {"compare.swap", plan, tr("S&wap A and B"), "swap-a-b", "X", false, false, [this] { parts_->compare->swap(); }},
        {"plan.compareSaved", plan, tr("Compare with &before my changes"), "", "", false, false,
         [this] { parts_->compare->compareWithSaved(); }},
    });
    actions_.action("compare.swap")->setEnabled(false);
}

namespace {

constexpr const char* kAside = "asideToCompare";

/// Where text is large two maps side by side need the room of the docks at the sides; they come back afterwards.
void makeRoomToCompare(QMainWindow& window, const std::vector<QDockWidget*>& docks, bool on) {
    const ui::Theme& theme = ui::themeOf(&window);
    constexpr int kRoomy = 760;
    if (on && window.height() >= theme.px(kRoomy)) return;
    for (QDockWidget* dock : docks) {
        const bool isBottom = window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
        if (on && !isBottom && !dock->isHidden() && !dock->isFloating()) {
            dock->hide();
            dock->setProperty(kAside, true);
        } else if (!on && dock->property(kAside).toBool()) {
            dock->show();
            dock->setProperty(kAside, false);
        }
        if (on && isBottom && !dock->isHidden()) window.resizeDocks({dock}, {theme.px(140)}, Qt::Vertical);
    }
}

}  // namespace

void MainWindow::buildPlanTools(QDockWidget* beside) {
    auto* compare = new CompareBridge(controller_, *workspace_, documentPage_, this);
    parts_->compare = compare;
    connect(keeper_, &DocumentKeeper::compareRequested, compare, &CompareBridge::compareWithDisk);
    connect(compare, &CompareBridge::viewMade, this, [this](QWidget* view) { actions_.addLetterWidget(view); });
    actions_.addLetterWidget(compare->changes()->table());
    QDockWidget* changes =
        addDock(QStringLiteral("compareDock"), tr("Changes"), compare->changes(), Qt::BottomDockWidgetArea);
    if (beside != nullptr) tabifyDockWidget(beside, changes);
    changes->hide();
    connect(compare, &CompareBridge::onChanged, this, [this, compare](bool on) {
        actions_.action("plan.compare")->setChecked(on);
        actions_.action("compare.swap")->setEnabled(on);
        facts_->setComparing(on);
        facts_->showDocument(controller_.document());
        if (on) showDock(QStringLiteral("compareDock"));
        makeRoomToCompare(*this, docks_, on);
        for (QDockWidget* dock : docks_)
            if (!on && dock->widget() == compare->changes()) dock->hide();
    });
    connect(compare, &CompareBridge::comparisonChanged, this, [this, compare](int changesFound) {
        for (QDockWidget* dock : docks_)
            if (dock->widget() == compare->changes())
                dock->setWindowTitle(tr("Changes") + QStringLiteral("\u2009") + ui::groupedText(changesFound));
    });
    // An arrangement is about one plan, and knows itself which docks it has.
    connect(parts_->perspectives, &Perspectives::currentChanged, this, [this] {
        for (QDockWidget* dock : docks_)
            dock->setProperty(kAside, false);
    });
    connect(parts_->perspectives, &Perspectives::currentChanged, compare, &CompareBridge::yield);
    auto* whatIf = new WhatIfBridge(controller_, *workspace_, documentPage_, this);
    addDock(QStringLiteral("whatIfDock"), tr("What-if"), scrolled(whatIf->panel(), this), Qt::RightDockWidgetArea)
        ->hide();
    auto* sweep = new SweepBridge(controller_, this);
    addDock(QStringLiteral("sweepDock"), tr("Sweep"), scrolled(sweep->panel(), this), Qt::RightDockWidgetArea)->hide();
    connect(whatIf, &WhatIfBridge::trialChanged, this, [this](const PlanPtr& plan, const QString& name) {
        facts_->setTrial(plan);
        facts_->showDocument(controller_.document());
        plans_->setTrial(name);
    });
    connect(whatIf, &WhatIfBridge::shown, compare, [compare] { compare->setOn(false); });
    connect(compare, &CompareBridge::onChanged, whatIf, [whatIf](bool on) {
        if (on) whatIf->leave();
    });
    if (auto* solver = findChild<SolverBridge*>())
        connect(solver, &SolverBridge::compareRequested, compare, &CompareBridge::compareWithPlan);
    buildSide(beside);
}

/// What the original compiler recorded of the same kernels. The dock shows up when there is some.
void MainWindow::buildSide(QDockWidget* beside) {
    auto* side = new SideBridge(controller_, *workspace_, this);
    parts_->side = side;
    QDockWidget* dock =
        addDock(QStringLiteral("sideDock"), tr("Side information"), side->view(), Qt::BottomDockWidgetArea);
    if (beside != nullptr) tabifyDockWidget(beside, dock);
    dock->hide();
    connect(side, &SideBridge::attached, this, [this] {
        keeper_->strip()->hide();
        showDock(QStringLiteral("sideDock"));
    });
    connect(side, &SideBridge::failed, this, [this](const QString& path, const Error& error) {
        const Diagnostic& d = error.primary();
        QString text = tr("Not attached: %1: %2").arg(QFileInfo(path).fileName(), ui::fromStd(d.message));
        if (!d.where.empty() && d.where != QFileInfo(path).fileName().toStdString())
            text = tr("Not attached: %1, %2: %3")
                       .arg(QFileInfo(path).fileName(), ui::fromStd(d.where), ui::fromStd(d.message));
        if (!d.hint.empty()) text += QStringLiteral("; ") + ui::fromStd(d.hint);
        keeper_->strip()->clearActions();
        keeper_->strip()->setNotice(ui::Strip::Kind::Error, QStringLiteral("error"), text);
        keeper_->strip()->show();
    });
    connect(side, &SideBridge::problemsChanged, this, &MainWindow::showTableCounts);
    // Explore has a tab for it while there is something to see.
    const auto fit = [this, side, dock] {
        if (parts_->perspectives->current() == 0 && side->view()->count() > 0) dock->show();
    };
    connect(side, &SideBridge::problemsChanged, dock, [fit, side, dock] {
        // Once: a tab that was closed stays closed when the plan changes.
        if (dock->property("sources").toInt() == 0) fit();
        dock->setProperty("sources", side->view()->count());
    });
    connect(parts_->perspectives, &Perspectives::currentChanged, dock, fit);
}

/// The counts in the titles of the tables.
void MainWindow::showTableCounts() {
    for (const Workspace::Table& table : workspace_->tables()) {
        for (QDockWidget* dock : docks_) {
            if (dock->objectName() == table.name)
                dock->setWindowTitle(table.title + QStringLiteral("\u2009") + ui::groupedText(table.count()));
        }
    }
    const SideBridge* side = parts_->side;
    for (QDockWidget* dock : docks_) {
        if (side == nullptr || dock->widget() != side->view()) continue;
        const int count = side->view()->count();
        dock->setWindowTitle(tr("Side information") +
                             (count == 0 ? QString() : QStringLiteral("\u2009") + ui::groupedText(count)));
    }
    facts_->showDocument(controller_.document());
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that the window is built from: actions, toolbar, docks, status bar.
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/notes/log_view.h"
#include "app/gui/features/notes/notes_controller.h"
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/features/solver/solver_controller.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/actions.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/instance_bar.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/recent_menu.h"
#include "app/gui/window/search.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/review_docks.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/tools/solver/solver_panel.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/outline/outline.h"
#include "widgets/views/problems/problems_view.h"

#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenuBar>
#include <QStatusBar>
#include <QUndoView>

namespace memplan::app {

using ui::fromStd;

void MainWindow::buildToolBar() {
    toolBar_ = new ToolBar(this, controller_, actions_->table(), parts_->perspectives);
    addToolBar(toolBar_);
    connect(toolBar_, &ToolBar::findRequested, this, [this] { parts_->search->open({}); });
    addToolBarBreak();
    instanceBar_ = new InstanceBar(this);
    addToolBar(instanceBar_);
}

void MainWindow::buildDocks() {
    outline_ = new ui::Outline(this);
    outline_->setHub(&controller_.hub());
    docks_->add(DockId::Outline, outline_);
    docks_->add(DockId::Inspector, workspace_->inspector());
    connect(workspace_->inspectorView(), &ui::InspectorView::scopeChanged, docks_,
            [this](const QString& scope) { docks_->setScope(DockId::Inspector, scope); });
    for (const Workspace::Table& table : workspace_->tables())
        docks_->add(table.dock, table.widget, table.count);
    parts_->notes = new NotesController(controller_, *this, this);
    docks_->add(DockId::UserNotes, parts_->notes->view(), [this] { return parts_->notes->view()->count(); });
    docks_->add(DockId::Undo, makeUndoView());
    auto* panel = new ui::SolverPanel(this);
    docks_->add(DockId::Solver, panel);
    parts_->solver = new SolverController(controller_, panel, this);
    connect(parts_->solver, &SolverController::divisionRequested, this, [this](OpId op, const PlanOp& before) {
        workspace_->showView(QStringLiteral("cores"));
        workspace_->coreGrid()->showChange(op, before);
    });
    buildPlanTools();
    docks_->add(DockId::Log, new LogView(this));
    auto* review = new ReviewDocks(&controller_.hub(), this);
    QDockWidget* matrix = docks_->add(DockId::Matrix, review->matrix());
    QDockWidget* edges = docks_->add(DockId::Edges, review->edges());
    splitDockWidget(matrix, edges, Qt::Horizontal);
    review->setDocks(matrix, edges);
    for (const DockId id :
         {DockId::Compare, DockId::WhatIf, DockId::Sweep, DockId::Side, DockId::Matrix, DockId::Edges})
        docks_->dock(id)->hide();
    docks_->raise(DockId::Problems);
    const ui::Theme& theme = ui::themeOf(this);
    resizeDocks({docks_->dock(DockId::Outline), docks_->dock(DockId::Inspector)},
                {std::min(theme.px(196), width() * 16 / 100), std::min(theme.px(280), width() * 25 / 100)},
                Qt::Horizontal);
    resizeDocks({docks_->dock(DockId::Problems)}, {std::min(theme.px(222), height() * 30 / 100)}, Qt::Vertical);
    QMenu* window = new QMenu(tr("&Window"), this);
    menuBar()->insertMenu(menuBar()->actions().constLast(), window);
    docks_->addToMenu(*window);
}

QWidget* MainWindow::makeUndoView() {
    auto* undo = new QUndoView(this);
    undo->setEmptyLabel(tr("As opened"));
    undo->setCleanIcon(ui::icon(QStringLiteral("save")));  // the state that is on disk (UX 11.4)
    undo->setObjectName(QStringLiteral("undoView"));
    undo->setAccessibleName(tr("Undo history"));
    connect(&controller_, &DocumentController::documentOpened, undo,
            [this, undo] { undo->setStack(&controller_.document()->undoStack()); });
    connect(&controller_, &DocumentController::documentClosed, undo, [undo] { undo->setStack(nullptr); });
    return undo;
}

void MainWindow::buildStatusBar() {
    statusBar()->setSizeGripEnabled(false);
    facts_ = new StatusFacts(this);
    facts_->setProblemText([this] { return workspace_->problems()->countText(); });
    statusBar()->addWidget(facts_, 1);
    facts_->showTask(controller_.task(), [this] { controller_.cancel(); });
    connect(facts_, &StatusFacts::unitsRequested, this, &MainWindow::setUnits);
    connect(facts_, &StatusFacts::findingsRequested, this, [this] { docks_->show(DockId::Problems); });
    parts_->proof = new ProofController(controller_, *workspace_, this);
    connect(parts_->proof, &ProofController::badgeChanged, facts_, &StatusFacts::setProof);
    connect(parts_->proof, &ProofController::problemsChanged, this, &MainWindow::showTableCounts);
}

}  // namespace memplan::app

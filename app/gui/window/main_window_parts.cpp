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
#include "app/gui/window/command_parts.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/instance_bar.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/recent_menu.h"
#include "app/gui/window/search.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
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

void MainWindow::buildActions() {
    const QString file = tr("&File");
    const QString edit = tr("&Edit");
    const QString view = tr("&View");
    const QString plan = tr("&Plan");
    const QString help = tr("&Help");
    actions_.add({
        {"file.open", file, tr("&Open..."), "open", "Ctrl+O", false, false, [this] { askOpen(); }},
        {"file.openBundle", file, tr("Open b&undle folder..."), "", "", false, false, [this] { askOpenBundle(); }},
        {"file.reload", file, tr("&Reload from disk"), "", "Ctrl+R", false, false, [this] { controller_.reload(); }},
        {"file.save", file, tr("&Save workspace"), "save", "Ctrl+S", false, true, [this] { keeper_->save(); }},
        {"file.saveAs", file, tr("Save workspace &as..."), "", "Ctrl+Shift+S", false, false,
         [this] { keeper_->saveAs(); }},
        {"file.savePlan", file, tr("Save &plan..."), "", "", false, false, [this] { exportPlan(); }},
        {"file.export", file, tr("&Export..."), "export", "Ctrl+E", false, false, [this] { exportView(); }},
        {"file.exportBundle", file, tr("Export Sp&yre files..."), "", "", false, false,
         [this] { showExport(ExportWhat::Bundle); }},
        {"file.close", file, tr("&Close document"), "", "Ctrl+W", false, true, [this] { closeDocument(); }},
        {"file.quit", file, tr("&Quit"), "", "Ctrl+Q", false, false, [this] { window()->close(); }},
        {"edit.undo", edit, tr("&Undo"), "undo", "Ctrl+Z", false, false,
         [this] {
             if (auto* d = controller_.document()) d->undoStack().undo();
         }},
        {"edit.redo", edit, tr("&Redo"), "redo", "Ctrl+Shift+Z; Ctrl+Y", false, false,
         [this] {
             if (auto* d = controller_.document()) d->undoStack().redo();
         }},
        {"edit.copyView", edit, tr("&Copy view as image"), "copy", "Ctrl+Shift+C", false, true, [this] { copyView(); }},
        {"edit.pasteHints", edit, tr("&Paste hints and settings"), "", "", false, false,
         [this] { parts_->hints->paste(QGuiApplication::clipboard()->text()); }},
        {"edit.back", edit, tr("Previous selection"), "", "Alt+Left", false, true,
         [this] { controller_.hub().back(); }},
        {"edit.forward", edit, tr("Next selection"), "", "Alt+Right", false, false,
         [this] { controller_.hub().forward(); }},
        {"view.system", view, tr("Theme as the s&ystem"), "", "", true, true, [this] { chooseTheme("system"); }},
        {"view.light", view, tr("&Light theme"), "", "", true, false, [this] { chooseTheme("light"); }},
        {"view.dark", view, tr("&Dark theme"), "", "", true, false, [this] { chooseTheme("dark"); }},
        {"view.highContrast", view, tr("&High contrast"), "", "", true, false, [this] { chooseTheme("highContrast"); }},
        {"view.fullScreen", view, tr("&Full screen"), "", "F11", false, true,
         [this] { window()->setWindowState(window()->windowState() ^ Qt::WindowFullScreen); }},
        {"view.reset", view, tr("&Reset layout"), "reset", "", false, false, [this] { resetLayout(); }},
        {"plan.compile", plan, tr("&Compile"), "compile", "F5", false, false, [this] { controller_.compileNow(); }},
        {"plan.cancel", plan, tr("C&ancel"), "cancel", "Shift+F5", false, false, [this] { controller_.cancel(); }},
        {"plan.automatic", plan, tr("&Recompile automatically"), "auto-recompile", "", true, true,
         [this] { controller_.setAutomatic(actions_.action("plan.automatic")->isChecked()); }},
        {"plan.compact", plan, tr("Compact a&ddresses"), "", "", false, true,
         [this] { parts_->hints->compactAddresses(); }},
        {"plan.keepOrder", plan, tr("&Keep operation order as hint"), "", "", false, false,
         [this] { parts_->hints->keepOrder(); }},
        {"plan.follow", plan, tr("&Follow selection"), "follow-selection", "", true, false,
         [this] { controller_.hub().setFollowSelection(actions_.action("plan.follow")->isChecked()); }},
        {"help.keys", help, tr("&Keyboard map"), "help", "", false, false,
         [this] { parts_->guide->showKeyboardMap(); }},
        {"help.about", help, tr("&About memplan-studio"), "", "", false, true, [this] { parts_->guide->showAbout(); }},
    });
    addCommandActions();
    addPlanActions();
    actions_.action("plan.automatic")->setChecked(true);
    actions_.action("plan.follow")->setChecked(true);
    actions_.fillMenus(menuBar(), {file, edit, view, plan, tr("&Tools"), help});
    auto* recent = new RecentMenu(menuBar());
    actions_.menu(file)->insertMenu(actions_.action("file.reload"), recent);
    connect(recent, &RecentMenu::fileRequested, this, &MainWindow::openFile);
}

void MainWindow::buildToolBar() {
    toolBar_ = new ToolBar(this, controller_, actions_, parts_->perspectives);
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

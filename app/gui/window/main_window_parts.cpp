// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that the window is built from: actions, toolbar, docks, status bar.
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/notes/log_view.h"
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/features/solver/solver_controller.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/targets/instance_bar.h"
#include "app/gui/window/bar_fit.h"
#include "app/gui/window/command_parts.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/palette_button.h"
#include "app/gui/window/plan_switcher.h"
#include "app/gui/window/recent_menu.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/workspace/review_docks.h"
#include "app/gui/workspace/workspace.h"
#include "engine/solve/solver.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/tools/solver/solver_panel.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/outline/outline.h"
#include "widgets/views/problems/problems_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMenuBar>
#include <QSpinBox>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QUndoView>

namespace memplan::app {

using ui::fromStd;

namespace {

QWidget* toolSeparator(QWidget* parent) {
    auto* line = new QWidget(parent);
    ui::setScaledSize(line, 9, 20);
    return line;
}

QLabel* toolLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    ui::withScale(label,
                  [label](const ui::Theme& theme) { label->setContentsMargins(theme.px(8), 0, theme.px(4), 0); });
    return label;
}

}  // namespace

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
        {"help.keys", help, tr("&Keyboard map"), "help", "", false, false, [this] { showKeyboardMap(); }},
        {"help.about", help, tr("&About memplan-studio"), "", "", false, true, [this] { showAbout(); }},
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
    toolBar_ = addToolBar(tr("Tools"));
    toolBar_->setObjectName(QStringLiteral("toolBar"));
    toolBar_->setMovable(false);
    toolBar_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    const auto add = [this](const char* id) { toolBar_->addAction(actions_.action(QString::fromLatin1(id))); };
    add("file.open");
    add("file.save");
    toolBar_->addWidget(toolSeparator(toolBar_));
    add("edit.undo");
    add("edit.redo");
    toolBar_->addWidget(toolSeparator(toolBar_));
    add("plan.compile");
    if (auto* button = qobject_cast<QToolButton*>(toolBar_->widgetForAction(actions_.action("plan.compile")))) {
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    add("plan.cancel");
    toolBar_->addWidget(toolSeparator(toolBar_));
    plans_ = new PlanSwitcher(toolBar_);
    toolBar_->addWidget(plans_);
    solver_ = new QComboBox(toolBar_);
    solver_->setObjectName(QStringLiteral("solverCombo"));
    solver_->setAccessibleName(tr("Solver"));
    for (const solve::Solver* s : solve::allSolvers()) {
        solver_->addItem(fromStd(std::string(s->id())));
        solver_->setItemData(solver_->count() - 1, fromStd(std::string(s->help())), Qt::ToolTipRole);
    }
    std::vector<QAction*> words{toolBar_->addWidget(toolLabel(tr("Solver"), toolBar_))};
    toolBar_->addWidget(solver_);
    cores_ = new QSpinBox(toolBar_);
    cores_->setObjectName(QStringLiteral("coresSpin"));
    cores_->setAccessibleName(tr("Cores"));
    cores_->setRange(1, SpyreMachine{}.maxCores);
    cores_->setKeyboardTracking(false);
    ui::setScaledMinimumWidth(cores_, 66);
    words.push_back(toolBar_->addWidget(toolLabel(tr("Cores"), toolBar_)));
    toolBar_->addWidget(cores_);
    reserve_ = new QDoubleSpinBox(toolBar_);
    reserve_->setObjectName(QStringLiteral("reserveSpin"));
    reserve_->setAccessibleName(tr("Share of LX reserved for the back end"));
    reserve_->setLocale(QLocale::c());
    reserve_->setRange(0.0, 1.0);
    reserve_->setSingleStep(0.01);
    reserve_->setDecimals(2);
    reserve_->setKeyboardTracking(false);
    ui::setScaledMinimumWidth(reserve_, 76);
    words.push_back(toolBar_->addWidget(toolLabel(tr("LX reserve"), toolBar_)));
    toolBar_->addWidget(reserve_);
    toolBar_->addWidget(toolSeparator(toolBar_));
    add("plan.automatic");
    add("plan.follow");
    add("plan.compare");
    add("file.export");
    auto* spacer = new QWidget(toolBar_);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    toolBar_->addWidget(spacer);
    parts_->bar = new PerspectiveBar(parts_->perspectives, toolBar_);
    std::vector<QAction*> end{toolBar_->addWidget(parts_->bar)};
    find_ = new PaletteButton(toolBar_);
    connect(find_, &PaletteButton::clicked, this, [this] { openPalette({}); });
    end.push_back(toolBar_->addWidget(find_));
    barFit_ = new BarFit(this, {toolBar_, parts_->perspectives, find_, end, words});
    connect(barFit_, &BarFit::findRequested, this, [this] { openPalette({}); });
    solver_->setToolTip(tr("Solver"));
    cores_->setToolTip(tr("Cores"));
    reserve_->setToolTip(tr("Share of LX reserved for the back end"));

    addToolBarBreak();
    instanceBar_ = new InstanceBar(this);
    addToolBar(instanceBar_);

    const auto change = [this](const char* key, const QString& value) {
        if (!filling_ && controller_.document() != nullptr)
            controller_.document()->changeSetting(QString::fromLatin1(key), value);
    };
    connect(solver_, &QComboBox::currentTextChanged, this,
            [change](const QString& name) { change("spyre.layout_solver", name); });
    connect(cores_, &QSpinBox::valueChanged, this, [change](int n) { change("spyre.cores", QString::number(n)); });
    connect(reserve_, &QDoubleSpinBox::valueChanged, this,
            [change](double f) { change("spyre.lx_reserved_fraction", QString::number(f, 'f', 2)); });
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
    parts_->notes = new NotesView(&controller_.hub(), this);
    docks_->add(DockId::UserNotes, parts_->notes, [this] { return parts_->notes->count(); });
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

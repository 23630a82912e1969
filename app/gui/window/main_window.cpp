// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/main_window.h"

#include "app/gui/document/measured.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/session/recent_files.h"
#include "app/gui/session/view_state.h"
#include "app/gui/tasks/layout_task.h"
#include "app/gui/window/actions.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/instance_bar.h"
#include "app/gui/window/notices.h"
#include "app/gui/window/plan_switcher.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/strip.h"
#include "widgets/kit/controls/strip_stack.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/models/plan_table_model.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/outline/outline.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace memplan::app {

using ui::fromStd;

MainWindow::MainWindow(std::vector<io::SampleInfo> samples, QWidget* parent)
    : QMainWindow(parent), samples_(std::move(samples)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("memplan-studio"));
    setAcceptDrops(true);
    resize(1600, 1000);

    docks_ = new Docks(this);
    pages_ = new QStackedWidget(this);
    start_ = new StartPage(samples_, pages_);
    error_ = new ErrorPage(pages_);
    documentPage_ = new QWidget(pages_);
    workspace_ = new Workspace(&controller_.hub(), documentPage_);
    auto* column = new QVBoxLayout(documentPage_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    keeper_ = new DocumentKeeper(
        controller_, [this] { return viewStateJson(*workspace_, controller_.hub(), units_); }, documentPage_);
    strips_ = new ui::StripStack(documentPage_);
    column->addWidget(strips_);
    notices_ = new Notices(controller_, *this, *docks_, keeper_->strip(), this);
    parts_ = std::make_unique<WindowParts>();
    parts_->controller = &controller_;
    parts_->workspace = workspace_;
    parts_->keeper = keeper_;
    parts_->docks = docks_;
    parts_->perspectives = new Perspectives(this, *docks_, *workspace_);
    parts_->find = new ui::FindBar(&controller_.hub(), documentPage_);
    column->addWidget(parts_->find);
    column->addWidget(workspace_, 1);
    for (QWidget* page : {static_cast<QWidget*>(start_), static_cast<QWidget*>(error_), documentPage_})
        pages_->addWidget(page);
    setCentralWidget(pages_);

    actions_ = new Actions(this, *this, *parts_);
    parts_->guide = new Guide(this, {controller_, *workspace_, *docks_, actions_->table(), *error_});
    connect(actions_, &Actions::requested, this, &MainWindow::run);
    connect(actions_, &Actions::fileRequested, this, &MainWindow::openFile);
    buildToolBar();
    buildDocks();
    buildStatusBar();
    connectController();
    parts_->hints = new HintController(controller_, *this, this);
    connect(&parts_->hints->fixes(), &FixController::previewRequested, parts_->whatIf, &WhatIfController::tryOut);
    new LayoutTask(workspace_->graphPane()->view()->arranger(), this);
    for (ui::Strip* strip : {parts_->whatIf->strip(), keeper_->strip(), notices_->planStrip()})
        strips_->add(strip);
    buildCommands();
    for (LongTask* task : findChildren<LongTask*>())
        facts_->showTask(*task);
    showPage(start_);
    stateChanged();
}

MainWindow::~MainWindow() {
    disconnect(&controller_, nullptr, this, nullptr);
    if (Document* document = controller_.document()) {
        disconnect(document, nullptr, this, nullptr);
        disconnect(&document->undoStack(), nullptr, this, nullptr);
    }
    disconnect(&controller_.task(), nullptr, this, nullptr);
    controller_.task().cancel();
    // The views read the controller's hub: they go before it does.
    delete takeCentralWidget();
    docks_->removeAll();
}

// ---- construction ----------------------------------------------------------------------------------------

void MainWindow::connectController() {
    connect(&controller_, &DocumentController::documentOpened, this, &MainWindow::documentOpened);
    connect(&controller_, &DocumentController::documentReady, this, &MainWindow::documentReady);
    connect(&controller_, &DocumentController::documentClosed, this, &MainWindow::documentClosed);
    connect(&controller_, &DocumentController::compileFailed, notices_, &Notices::showFailure);
    connect(&controller_, &DocumentController::openFailed, this, &MainWindow::openFailed);
    connectWaiting();
    connect(notices_, &Notices::planAgainRequested, this, &MainWindow::planAgain);
    connect(error_, &ErrorPage::openAnother, this, &MainWindow::askOpen);
    connect(error_, &ErrorPage::tryAgain, &controller_, &DocumentController::reload);
    connect(error_, &ErrorPage::backToStart, this, &MainWindow::leaveErrorPage);
    connect(start_, &StartPage::recoverRequested, this, [this](const QString& copy) {
        OpenRequest recover;
        recover.path = copy;
        recover.from = OpenFrom::AutosavedCopy;
        request(recover);
    });
    connect(start_, &StartPage::openRequested, this, &MainWindow::askOpen);
    connect(start_, &StartPage::sampleRequested, this, &MainWindow::openSample);
    connect(start_, &StartPage::fileRequested, this, &MainWindow::openFile);
    connect(start_, &StartPage::keyboardMapRequested, parts_->guide, &Guide::showKeyboardMap);
    connect(workspace_, &Workspace::exportRequested, this, [this] { run(WindowCommand::ExportView); });
    connect(workspace_, &Workspace::inspectRequested, this, &MainWindow::inspect);
}

// ---- services of the features -----------------------------------------------------------------------------

void MainWindow::showDock(DockId id) {
    docks_->show(id);
}

void MainWindow::showDockCounts() {
    docks_->showCounts();
}

void MainWindow::message(const QString& text) {
    constexpr int kMessageMs = 6000;
    statusBar()->showMessage(text, kMessageMs);
}

QString MainWindow::askFile(const QString& title, const QString& start, const QString& filter) {
    return QFileDialog::getOpenFileName(this, title, start, filter);
}

QString MainWindow::askNewFile(const QString& title, const QString& start, const QString& filter) {
    return QFileDialog::getSaveFileName(this, title, start, filter);
}

// ---- documents -------------------------------------------------------------------------------------------

void MainWindow::showPage(QWidget* page) {
    // What another page needs must not keep the window large.
    for (int i = 0; i < pages_->count(); ++i) {
        const auto policy = pages_->widget(i) == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        pages_->widget(i)->setSizePolicy(policy, policy);
    }
    pages_->setCurrentWidget(page);
    const bool working = page == documentPage_, wasWorking = isWorking_;
    isWorking_ = working;
    toolBar_->setVisible(working);
    toolBar_->setEnabled(controller_.document() != nullptr);
    if (wasWorking && !working) {
        docksOfWork_ = saveState();
        for (QDockWidget* dock : docks_->all())
            dock->hide();
    } else if (working && !wasWorking) {
        restoreState(docksOfWork_);
    }
    if (!working) start_->refreshRecent();
    actions_->setWorking(working);
}

void MainWindow::documentOpened() {
    Document& document = *controller_.document();
    if (!document.origin().workspacePath.isEmpty()) {
        RecentFiles::add(document.origin().workspacePath);
    } else if (!controller_.lastRequest().sample) {
        RecentFiles::add(fromStd(document.input().input.path));
    }
    toolBar_->plans()->setDocument(&document);
    shownPlanChanged();
    instanceBar_->setDocument(&document);
    actions_->action("plan.automatic")->setChecked(controller_.automatic());
    connect(&document, &Document::shownChanged, this, &MainWindow::shownPlanChanged);
    connect(&document, &Document::currentChanged, this, &MainWindow::currentPlanChanged);
    connect(&document, &Document::stateChanged, this, &MainWindow::stateChanged);
    connect(&document, &Document::settingsChanged, toolBar_, &ToolBar::showSettings);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::stateChanged);
    connect(&document, &Document::modifiedChanged, this, &MainWindow::updateTitle);
    connect(&document, &Document::savedAsChanged, this, &MainWindow::updateTitle);
    toolBar_->showSettings();
    const bool fromElsewhere = pages_->currentWidget() != documentPage_;
    showPage(documentPage_);
    const Preferences& preferences = Preferences::instance();
    document.undoStack().setUndoLimit(preferences.value(QStringLiteral("general/undo_depth")).toInt());
    const auto limit = preferences.value(QStringLiteral("general/auto_recompile_ops")).toULongLong();
    controller_.setAutomatic(controller_.documentSize() < limit);
    actions_->action("plan.automatic")->setChecked(controller_.automatic());
    if (fromElsewhere) showLayout();
    comesBack_ = false;  // later documents come up in the arrangement of this run
    fitToKind();
    workspace_->view(QStringLiteral("gantt"))->setFocus();
    updateTitle();
}

void MainWindow::documentClosed() {
    notices_->planStrip()->hide();
    toolBar_->plans()->setDocument(nullptr);
    instanceBar_->setDocument(nullptr);
    shownPlanChanged();
    setWindowTitle(QStringLiteral("memplan-studio"));
    setWindowModified(false);
    showPage(start_);
    emit titleChanged();
}

void MainWindow::currentPlanChanged() {
    const PlanEntry& entry = *controller_.document()->current();
    docks_->setScope(DockId::Outline, ui::plural(static_cast<qint64>(entry.plan->ops.size()), tr("op"), tr("ops")));
    for (const DockId tool : {DockId::WhatIf, DockId::Sweep})
        docks_->setScope(tool, entry.name);
    workspace_->setMeasured(measuredComparison(*controller_.document(), controller_.lastRequest().sample));
    showTableCounts();
    toolBar_->showSettings();
    updateTitle();
    if (!announced_) docks_->raise(entry.plan->problems.empty() ? DockId::Buffers : DockId::Problems);
    if (!announced_) {
        announced_ = true;
        emit firstPicture();
    }
}

void MainWindow::stateChanged() {
    Document* document = controller_.document();
    facts_->showDocument(document);
    actions_->action("plan.cancel")->setEnabled(document != nullptr && document->state() == PlanState::Compiling);
    showAbsence();
    if (document == nullptr) return;
    workspace_->problems()->setFailure(document->failure() && document->state() == PlanState::Failed
                                           ? document->failure()->error.diagnostics
                                           : std::vector<Diagnostic>());
    actions_->action("edit.undo")->setEnabled(document->undoStack().canUndo());
    actions_->action("edit.redo")->setEnabled(document->undoStack().canRedo());
    notices_->showState();
    updateTitle();
}

void MainWindow::updateTitle() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    setWindowTitle(
        QStringLiteral("%1[*] \u2014 %2 \u2014 memplan-studio").arg(document->name(), document->kindTitle()));
    setWindowModified(document->isModified());
    emit titleChanged();
}

// ---- actions ---------------------------------------------------------------------------------------------

void MainWindow::askOpen() {
    QString folder = Preferences::instance().value(QStringLiteral("files/open_folder")).toString();
    if (folder.isEmpty()) folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), folder,
        tr("Everything that opens (*.onnx *.json *.jsonl *.csv *.memplan);;Workspaces (*.memplan);;ONNX models "
           "(*.onnx);;Neutral graphs and plans (*.json);;Buffer lists (*.csv *.jsonl);;"
           "All files (*)"));
    if (path.isEmpty()) return;
    QSettings().setValue(QStringLiteral("lastFolder"), QFileInfo(path).absolutePath());
    openFile(path);
}

void MainWindow::setUnits(const ui::Units& units) {
    units_ = units;
    workspace_->setUnits(units);
    for (auto* model : findChildren<ui::PlanTableModel*>())
        model->setUnits(units);
    facts_->showUnits(units);
}

void MainWindow::setTheme(ui::ThemeKind kind) {
    if (auto* style = qobject_cast<ui::StudioStyle*>(qApp->style())) {
        ui::Theme theme(kind, ui::themeOf(this).fontFactor());
        theme.setMonochrome(ui::themeOf(this).isMonochrome());
        style->setTheme(theme);
    }
    facts_->update();
}

void MainWindow::resetLayout() {
    parts_->perspectives->reset();
    fitToKind();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!keeper_->mayClose()) return event->ignore();
    controller_.task().cancel();
    event->accept();
}

void MainWindow::contextMenuEvent(QContextMenuEvent* event) {
    if (!docks_->openMenuAt(event->pos(), event->globalPos())) QMainWindow::contextMenuEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList side;  // stands beside the plan that is open
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        event->acceptProposedAction();
        const bool asBaseline = event->modifiers().testFlag(Qt::ControlModifier) && controller_.document() != nullptr;
        if (asBaseline) return parts_->compare->compareWithFile(url.toLocalFile());
        if (parts_->side->takes(url.toLocalFile())) {
            side << url.toLocalFile();
            continue;
        }
        openFile(url.toLocalFile());
        if (host_ == nullptr) return;  // room for one only
    }
    parts_->side->attach(side);
}

}  // namespace memplan::app

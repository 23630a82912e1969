// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/main_window.h"

#include "app/gui/document/bindings_text.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/notes/session_log.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/fault_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/appearance.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/session/view_state.h"
#include "app/gui/tasks/layout_task.h"
#include "app/gui/window/bars/instance_bar.h"
#include "app/gui/window/bars/palette_button.h"
#include "app/gui/window/bars/tool_bar.h"
#include "app/gui/window/commands/actions.h"
#include "app/gui/window/commands/guide.h"
#include "app/gui/window/commands/search.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/document_display.h"
#include "app/gui/window/documents/document_host.h"
#include "app/gui/window/documents/document_opener.h"
#include "app/gui/window/documents/window_pages.h"
#include "app/gui/window/status/notices.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/window/status/waiting.h"
#include "app/gui/window/status/zoom_fact.h"
#include "app/gui/window/view_preferences.h"
#include "app/gui/window/window_features.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/controls/notices/strip_stack.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/palette/find_bar.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QStatusBar>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::app {

using ui::fromStd;

MainWindow::MainWindow(std::vector<io::SampleInfo> samples, QWidget* parent)
    : QMainWindow(parent), samples_(std::move(samples)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("memplan-studio"));
    setAcceptDrops(true);
    resize(1600, 1000);
    parts_.controller = &controller_;
    parts_.docks = new Docks(this);
    buildCentre();
    actions_ = new Actions(this, *this, parts_);
    buildBars();
    buildFeatures();
    buildStatusBar();
    connectDocument();
    connectPages();
    buildCommands();
    pages_->showStart();
    display_->showState();
}

MainWindow::~MainWindow() {
    disconnect(&controller_, nullptr, this, nullptr);
    // Of what ends now nothing is shown any more.
    delete display_;
    delete waiting_;
    controller_.task().cancel();
    // The views read the controller's hub: they go before it does.
    delete takeCentralWidget();
    parts_.docks->removeAll();
}

// ---- construction ----------------------------------------------------------------------------------------

void MainWindow::buildCentre() {
    pages_ = new WindowPages(samples_, this);
    QWidget* page = pages_->document();
    parts_.workspace = new Workspace(&controller_.hub(), page);
    preferences_ = new ViewPreferences(*parts_.workspace, this);
    const auto viewJson = [this] { return viewStateJson(*parts_.workspace, controller_.hub(), preferences_->units()); };
    parts_.keeper = new DocumentKeeper(controller_, viewJson, page);
    strips_ = new ui::StripStack(page);
    notices_ = new Notices(controller_, *this, *parts_.docks, parts_.keeper->strip(), this);
    parts_.perspectives = new Perspectives(this, *parts_.docks, *parts_.workspace);
    parts_.find = new ui::FindBar(&controller_.hub(), page);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strips_);
    column->addWidget(parts_.find);
    column->addWidget(parts_.workspace, 1);
    setCentralWidget(pages_);
    waiting_ = new Waiting(controller_, *parts_.workspace, *parts_.docks, this);
    parts_.opener = new DocumentOpener(controller_, *this, this);
}

void MainWindow::buildBars() {
    toolBar_ = new ToolBar(this, controller_, actions_->table(), parts_.perspectives);
    addToolBar(toolBar_);
    addToolBarBreak();
    instanceBar_ = new InstanceBar(this);
    addToolBar(instanceBar_);
    connect(toolBar_, &ToolBar::findRequested, this, [this] { parts_.search->open({}); });
}

void MainWindow::buildStatusBar() {
    statusBar()->setSizeGripEnabled(false);
    facts_ = new StatusFacts(this);
    statusBar()->addWidget(facts_, 1);
    facts_->showTask(controller_.task(), [this] { controller_.cancel(); });
    for (LongTask* task : earlyTasks_)
        facts_->showTask(*task);
    showTask(parts_.keeper->task());
    showTask(*new LayoutTask(parts_.workspace->graphPane()->view()->arranger(), this));
    new ZoomFact(*this, *parts_.workspace, *parts_.perspectives, facts_);
    connect(facts_, &StatusFacts::unitsRequested, preferences_, &ViewPreferences::setUnits);
    connect(facts_, &StatusFacts::findingsRequested, this, [this] { showDock(DockId::Problems); });
    connect(preferences_, &ViewPreferences::unitsChanged, facts_, &StatusFacts::showUnits);
    connect(preferences_, &ViewPreferences::appearanceChanged, facts_, qOverload<>(&QWidget::update));
    connect(preferences_, &ViewPreferences::appearanceChanged, actions_, &Actions::showTheme);
    display_ = new DocumentDisplay(parts_, {*actions_, *toolBar_, *instanceBar_, *facts_, *notices_, *waiting_}, this);
    connect(display_, &DocumentDisplay::titleChanged, this, &MainWindow::updateTitle);
    connect(display_, &DocumentDisplay::firstPlan, this, &MainWindow::firstPicture);
}

void MainWindow::buildFeatures() {
    const WindowFeatures* features =
        new WindowFeatures({controller_, *this, *parts_.docks, *parts_.perspectives, pages_->document()}, this);
    parts_.notes = features->notes();
    parts_.compare = features->compare();
    parts_.records = features->records();
    parts_.proof = features->proof();
    parts_.hints = features->hints();
    parts_.exports = features->exports();
    for (ui::Strip* strip : {features->whatIf()->strip(), parts_.keeper->strip(), notices_->planStrip()})
        strips_->add(strip);
    connect(parts_.keeper, &DocumentKeeper::compareRequested, &parts_.compare->pair(), &ComparePair::compareWithDisk);
    connect(parts_.records, &RecordsController::failed, notices_, &Notices::showNotAttached);
    connect(parts_.records, &RecordsController::attached, parts_.keeper->strip(), &QWidget::hide);
    auto* menu = new QMenu(tr("&Window"), this);
    menuBar()->insertMenu(menuBar()->actions().constLast(), menu);
    parts_.docks->addToMenu(*menu);
}

void MainWindow::connectDocument() {
    connect(&controller_, &DocumentController::documentOpened, this, &MainWindow::documentOpened);
    connect(&controller_, &DocumentController::documentReady, this, &MainWindow::documentReady);
    connect(&controller_, &DocumentController::documentClosed, this, &MainWindow::documentClosed);
    connect(&controller_, &DocumentController::compileFailed, notices_, &Notices::showFailure);
    connect(parts_.opener, &DocumentOpener::wanted, this, &MainWindow::open);
    connect(parts_.opener, &DocumentOpener::failed, this, &MainWindow::openingRefused);
    connect(parts_.opener, &DocumentOpener::turnedAway, this, &MainWindow::leaveErrorPage);
    connect(waiting_, &Waiting::loading, this, &MainWindow::showLoading);
    connect(waiting_, &Waiting::ended, this, &MainWindow::openingEnded);
    connect(waiting_, &Waiting::compileCancelled, notices_, &Notices::showCancelled);
    connect(notices_, &Notices::planAgainRequested, parts_.opener, &DocumentOpener::planAgain);
    connect(notices_, &Notices::sizesRequested, parts_.opener, &DocumentOpener::askSizes);
    connect(actions_, &Actions::closeRequested, this, &MainWindow::closeDocument);
    logTasks(controller_, this);
}

void MainWindow::connectPages() {
    parts_.opener->setBeside(parts_.records, parts_.compare);
    parts_.opener->follow(pages_->start(), pages_->error());
    connect(pages_, &WindowPages::shown, this, &MainWindow::pageShown);
    connect(&pages_->error(), &ErrorPage::backToStart, this, &MainWindow::leaveErrorPage);
    const auto goOn = [this] { controller_.document() == nullptr ? pages_->showStart() : pages_->showDocument(); };
    connect(&pages_->fault(), &FaultPage::goOn, this, goOn);
    // Hints, settings and notes: what the user made and nobody else has.
    connect(&pages_->fault(), &FaultPage::saveRequested, this, [this, goOn] {
        const Saving saved = parts_.keeper->saveAs();
        if (saved == Saving::Done) message(tr("Saved as %1").arg(tabPath()));
        if (saved == Saving::Failed) goOn();  // the strip says why
    });
}

void MainWindow::buildCommands() {
    Perspectives* perspectives = parts_.perspectives;
    perspectives->setShippedState(saveState());
    parts_.search = new Search(this, {controller_, actions_->table(), *parts_.docks, *toolBar_, *menuBar()});
    const auto openFirst = [this] {
        const io::SampleInfo* first = io::findSample(samples_, "S1");
        if (first != nullptr) openSample(*first);
        return first != nullptr;
    };
    parts_.guide = new Guide(this, {controller_, *parts_.workspace, *parts_.docks, actions_->table(), pages_->error(),
                                    *perspectives, toolBar_, openFirst});
    parts_.find->setViews(parts_.workspace->views());
    connect(parts_.workspace, &Workspace::inspectRequested, this, &MainWindow::inspect);
    connect(parts_.compare, &CompareController::viewMade, &actions_->table(), &ActionTable::addLetterWidget);
    connect(perspectives, &Perspectives::namesChanged, actions_, &Actions::showPerspectives);
    connect(perspectives, &Perspectives::currentChanged, actions_, &Actions::showPerspectives);
    // Two maps can be split where one had the centre for itself.
    connect(parts_.compare, &CompareController::onChanged, actions_, &Actions::showSplit);
    connect(perspectives, &Perspectives::currentChanged, display_, &DocumentDisplay::fitToKind);
    actions_->table().addLetterWidget(parts_.compare->changes()->table());
    for (ui::GraphicView* view : parts_.workspace->views()) {
        actions_->table().addLetterWidget(view);
        connect(view, &ui::GraphicView::cheatSheetRequested, parts_.guide, &Guide::showKeyboardMap);
    }
    preferences_->applyAll();
    connect(&Preferences::instance(), &Preferences::shortcutsChanged, actions_, &Actions::applyShortcuts);
    connect(actions_, &Actions::searchKeysChanged, toolBar_->find(), &PaletteButton::setKeys);
    actions_->applyShortcuts();
    actions_->showTheme();
    actions_->showPerspectives();
    connect(this, &MainWindow::firstPicture, parts_.guide, &Guide::pictureShown);
    connect(&pages_->start(), &StartPage::tourRequested, parts_.guide, &Guide::showTour);
    connect(&pages_->start(), &StartPage::keyboardMapRequested, parts_.guide, &Guide::showKeyboardMap);
    connect(&pages_->start(), &StartPage::helpRequested, parts_.guide, &Guide::showTopic);
    connect(&pages_->error(), &ErrorPage::helpRequested, parts_.guide, &Guide::showTopic);
    connect(parts_.workspace->problems(), &ui::ProblemsView::helpRequested, parts_.guide,
            [this](const QString& code) { parts_.guide->showTopic(QStringLiteral("code:") + code); });
}

// ---- services of the features -----------------------------------------------------------------------------

void MainWindow::showDock(DockId id) {
    parts_.docks->show(id);
}

void MainWindow::showDockCounts() {
    parts_.docks->showCounts();
}

void MainWindow::message(const QString& text) {
    constexpr int kMessageMs = 8000;
    statusBar()->showMessage(text, kMessageMs);
}

void MainWindow::showTask(LongTask& task) {
    if (facts_ == nullptr) return earlyTasks_.push_back(&task);
    facts_->showTask(task);
}

QString MainWindow::askFile(const QString& title, const QString& start, const QString& filter) {
    return QFileDialog::getOpenFileName(this, title, start, filter);
}

QStringList MainWindow::askFiles(const QString& title, const QString& start, const QString& filter) {
    return QFileDialog::getOpenFileNames(this, title, start, filter);
}

QString MainWindow::askNewFile(const QString& title, const QString& start, const QString& filter) {
    return QFileDialog::getSaveFileName(this, title, start, filter);
}

// ---- opening and closing ----------------------------------------------------------------------------------

void MainWindow::setHost(DocumentHost* host) {
    host_ = host;
    parts_.opener->setHost(host);
    parts_.keeper->setAutosaveFolder(host == nullptr ? nullptr : &host->autosaveFolder());
}

void MainWindow::openFile(const QString& path) {
    parts_.opener->openFile(path);
}

void MainWindow::openSample(const io::SampleInfo& sample) {
    parts_.opener->openSample(sample);
}

void MainWindow::open(const OpenRequest& request) {
    display_->expectFirstPlan();
    controller_.open(request);
    emit titleChanged();
}

/// A first document that takes its time gets the frame it will stand in: axes, docks, no data (19.2).
void MainWindow::showLoading() {
    pages_->showDocument();
    showLayout();
    facts_->showOpening();
}

void MainWindow::openingEnded(const QString& text) {
    if (!text.isEmpty()) pages_->showStart();
    facts_->showDocument(nullptr);
    if (!text.isEmpty()) message(text);
    emit titleChanged();
}

void MainWindow::openingRefused(const QString& path, const Error& error, const QString& refusal) {
    waiting_->end();
    const OpenRequest& last = controller_.lastRequest();
    // A workspace brings its own.
    const bool takesBindings = last.from == OpenFrom::File && !path.endsWith(u".memplan");
    pages_->error().setBindings(takesBindings ? bindingsText(last.bindings) : QString());
    pages_->error().show(path, error, refusal);
    pages_->showError();
    facts_->showNotLoaded(
        static_cast<int>(std::ranges::count(error.diagnostics, Severity::Error, &Diagnostic::severity)));
    emit titleChanged();
}

void MainWindow::documentOpened() {
    Document& document = *controller_.document();
    preferences_->applyTo(controller_);
    display_->follow(document);
    const bool fromElsewhere = !pages_->showsDocument();
    pages_->showDocument();
    if (fromElsewhere) showLayout();
    comesBack_ = false;  // later documents come up in the arrangement of this run
    display_->fitToKind();
    parts_.workspace->view(QStringLiteral("gantt"))->setFocus();
    updateTitle();
}

void MainWindow::documentReady(const QByteArray& viewJson) {
    if (const auto units = unitsOf(viewJson)) preferences_->setUnits(*units);
    applyViewState(*parts_.workspace, controller_.hub(), viewJson);
    updateTitle();
    notices_->showOpened();
}

void MainWindow::documentClosed() {
    display_->clear();
    setWindowTitle(QStringLiteral("memplan-studio"));
    setWindowModified(false);
    pages_->showStart();
    emit titleChanged();
}

void MainWindow::closeDocument() {
    if (pages_->showsError()) return leaveErrorPage();
    if (host_ != nullptr) return host_->close(*this);
    if (parts_.keeper->mayClose()) showStart();
}

void MainWindow::showStart() {
    controller_.close();  // documentClosed shows the start page
}

void MainWindow::leaveErrorPage() {
    facts_->showDocument(controller_.document());
    if (controller_.document() != nullptr) {
        pages_->showDocument();
    } else if (host_ != nullptr) {
        host_->close(*this);
    } else {
        pages_->showStart();
    }
}

void MainWindow::offerRecovery(const QList<RecoverableCopy>& copies) {
    pages_->start().setRecoverable(copies);
}

void MainWindow::showFault(const QString& text) {
    const Document* document = controller_.document();
    const bool isKept = parts_.keeper->saveCopy();
    pages_->fault().setDocument(document == nullptr       ? FaultPage::Work::None
                                : isKept                  ? FaultPage::Work::Copied
                                : !document->isModified() ? FaultPage::Work::Saved
                                                          : FaultPage::Work::AtRisk);
    pages_->fault().show(text);
    pages_->showFault();
}

// ---- what the document says -------------------------------------------------------------------------------

void MainWindow::pageShown(bool isDocument) {
    parts_.docks->setShown(isDocument);
    toolBar_->setVisible(isDocument);
    toolBar_->setEnabled(controller_.document() != nullptr);
    actions_->setWorking(isDocument);
    if (pages_->showsError()) actions_->action("file.close")->setEnabled(true);
}

// ---- title, layout, tools ---------------------------------------------------------------------------------

bool MainWindow::isVacant() const {
    return controller_.document() == nullptr && !controller_.task().isRunning();
}

QString MainWindow::tabTitle() const {
    if (const Document* document = controller_.document()) return document->name();
    if (controller_.task().isRunning() || pages_->showsError())
        return QFileInfo(controller_.lastRequest().path).completeBaseName();
    return tr("Start");
}

QString MainWindow::tabPath() const {
    const Document* document = controller_.document();
    if (document == nullptr) return {};
    const QString& workspace = document->origin().workspacePath;
    return workspace.isEmpty() ? fromStd(document->input().input.path) : workspace;
}

void MainWindow::updateTitle() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    setWindowTitle(
        QStringLiteral("%1[*] \u2014 %2 \u2014 memplan-studio").arg(document->name(), document->kindTitle()));
    setWindowModified(document->isModified());
    emit titleChanged();
}

void MainWindow::showLayout() {
    if (!comesBack_ || !parts_.perspectives->showLast(kLayoutVersion)) parts_.perspectives->reset();
}

void MainWindow::storeLayout() {
    // Pages of errors and faults hide the docks.
    if (controller_.document() == nullptr || !parts_.docks->areShown()) return;
    // The user's own arrangement, not that of the moment: a view as large as the window, or two plans side by side.
    parts_.perspectives->leaveMaximised();
    parts_.compare->setOn(false);
    parts_.perspectives->storeLast(kLayoutVersion);
}

void MainWindow::setTheme(ui::ThemeKind kind) {
    showThemeKind(kind);
}

FixController& MainWindow::fixes() const {
    return parts_.hints->fixes();
}

void MainWindow::offerTour() {
    parts_.guide->offerTour();
}

bool MainWindow::trigger(const QString& id) {
    QAction* wanted = actions_->table().action(id);
    if (wanted == nullptr || !wanted->isEnabled()) return false;
    wanted->trigger();
    return true;
}

void MainWindow::inspect(ui::ItemId item) {
    ui::SelectionHub& hub = controller_.hub();
    // Of several selected items the inspector shows what they have in common; that stays.
    if (!hub.isSelected(item)) hub.select(item);
    showDock(DockId::Inspector);
    parts_.workspace->inspectorView()->setFocus(Qt::ShortcutFocusReason);
}

// ---- events -----------------------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!parts_.keeper->mayClose()) return event->ignore();
    controller_.task().cancel();
    event->accept();
}

void MainWindow::contextMenuEvent(QContextMenuEvent* event) {
    if (!parts_.docks->openMenuAt(event->pos(), event->globalPos())) QMainWindow::contextMenuEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    parts_.opener->drop(*event);
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/studio_window.h"

#include "app/gui/document/save_question.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/window/bars/document_bar.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/main_window.h"
#include "engine/io/input.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSettings>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

QString sessionFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/session");
}

/// Docks that float are windows of their own: they come and go with their document.
void showFloating(MainWindow* window, bool on) {
    for (QDockWidget* dock : window->docks().all()) {
        if (!dock->isFloating()) continue;
        if (!on) dock->setProperty("shownWithDocument", !dock->isHidden());
        if (!on || dock->property("shownWithDocument").toBool()) dock->setVisible(on);
    }
}

}  // namespace

StudioWindow::StudioWindow(std::vector<io::SampleInfo> samples, bool clean, const QString& autosaveRoot)
    : samples_(std::move(samples)), clean_(clean), autosave_(autosaveRoot), bar_(new DocumentBar(this)),
      barRow_(new QWidget(this)), stack_(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("studioWindow"));
    ui::setScaledWindowSize(this, 1600, 1000);
    bar_->setObjectName(QStringLiteral("documentBar"));
    bar_->setAccessibleName(tr("Documents"));
    bar_->setDocumentMode(true);
    bar_->setDrawBase(false);
    bar_->setMovable(true);
    bar_->setTabsClosable(true);
    bar_->setExpanding(false);
    bar_->setUsesScrollButtons(true);
    bar_->setElideMode(Qt::ElideMiddle);
    auto* row = new QHBoxLayout(barRow_);
    row->setContentsMargins(6, 2, 6, 0);
    row->addWidget(bar_);
    row->addStretch(1);
    barRow_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(barRow_);
    column->addWidget(stack_, 1);
    connect(bar_, &QTabBar::currentChanged, this, &StudioWindow::showWindow);
    connect(bar_, &QTabBar::tabMoved, this, [this](int from, int to) {
        QWidget* moved = stack_->widget(from);
        stack_->removeWidget(moved);
        stack_->insertWidget(to, moved);
        stack_->setCurrentIndex(bar_->currentIndex());
    });
    connect(bar_, &QTabBar::tabCloseRequested, this,
            [this](int index) { close(*static_cast<MainWindow*>(stack_->widget(index))); });
    if (!clean_) restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
    MainWindow* first = addWindow();
    if (!clean_) first->restoreLayout();
    GuardedApplication::setFaultHandler([this](const QString& text) { showFault(text); });
}

StudioWindow::~StudioWindow() {
    GuardedApplication::setFaultHandler({});
    bar_->disconnect(this);
    // The documents hold copies in the autosave folder: they go before it does.
    for (MainWindow* window : documents())
        delete window;
}

MainWindow& StudioWindow::current() const {
    return *static_cast<MainWindow*>(stack_->currentWidget());
}

std::vector<MainWindow*> StudioWindow::documents() const {
    std::vector<MainWindow*> list;
    for (int i = 0; i < stack_->count(); ++i)
        list.push_back(static_cast<MainWindow*>(stack_->widget(i)));
    return list;
}

// ---- documents -------------------------------------------------------------------------------------------

MainWindow* StudioWindow::addWindow() {
    auto* window = new MainWindow(samples_, stack_);
    window->setWindowFlags(Qt::Widget);
    window->setHost(this);
    if (!clean_ && isStarting_) window->restoreLayout();
    connect(window, &MainWindow::titleChanged, this, [this, window] { titleChanged(window); });
    stack_->addWidget(window);
    bar_->addTab(window->tabTitle());
    barRow_->setVisible(bar_->count() > 1);
    offerRecovery();
    return window;
}

void StudioWindow::removeWindow(MainWindow* window) {
    const int index = stack_->indexOf(window);
    window->disconnect(this);
    stack_->removeWidget(window);
    bar_->removeTab(index);
    window->deleteLater();
    barRow_->setVisible(bar_->count() > 1);
    showWindow(bar_->currentIndex());
}

void StudioWindow::showWindow(int index) {
    if (index < 0 || index >= stack_->count()) return;
    auto* before = static_cast<MainWindow*>(stack_->currentWidget());
    auto* now = static_cast<MainWindow*>(stack_->widget(index));
    if (before != nullptr && before != now) showFloating(before, false);
    stack_->setCurrentIndex(index);
    showFloating(now, true);
    if (QWidget* focus = now->focusWidget()) focus->setFocus();
    titleChanged(now);
}

void StudioWindow::titleChanged(MainWindow* window) {
    const int index = stack_->indexOf(window);
    if (index < 0) return;
    bar_->setTabText(index, window->tabTitle() + (window->isWindowModified() ? QStringLiteral("*") : QString()));
    bar_->setTabToolTip(index, window->tabPath());
    if (window != &current()) return;
    setWindowTitle(window->windowTitle());
    setWindowModified(window->isWindowModified());
}

MainWindow* StudioWindow::windowOf(const OpenRequest& request) const {
    if (request.from != OpenFrom::File || !request.settings.empty() || request.sample) return nullptr;
    const QString path = QFileInfo(request.path).absoluteFilePath();
    for (MainWindow* window : documents()) {
        const Document* document = window->controller().document();
        if (document == nullptr) continue;
        const DocumentOrigin& origin = document->origin();
        const QString own =
            origin.workspacePath.isEmpty() ? fromStd(document->input().input.path) : origin.workspacePath;
        if (origin.sample.isEmpty() && QFileInfo(own).absoluteFilePath() == path) return window;
    }
    return nullptr;
}

void StudioWindow::open(const OpenRequest& request) {
    if (MainWindow* open = windowOf(request)) {
        bar_->setCurrentIndex(stack_->indexOf(open));
        return;
    }
    MainWindow* window = &current();
    if (!window->isVacant()) {
        window = addWindow();
        bar_->setCurrentIndex(stack_->indexOf(window));
    }
    window->open(request);
    titleChanged(window);
}

void StudioWindow::close(MainWindow& window) {
    bar_->setCurrentIndex(stack_->indexOf(&window));
    if (!window.keeper().mayClose()) return;
    if (stack_->count() > 1) {
        window.keeper().forget();
        removeWindow(&window);
    } else {
        window.showStart();
        offerRecovery();
    }
}

// ---- start and end ---------------------------------------------------------------------------------------

void StudioWindow::openGiven(const std::vector<std::string>& given, const OpenRequest& choices) {
    const QScopedValueRollback<bool> starting(isStarting_, true);
    if (given.empty() && !clean_ && autosave_.recoverable().isEmpty()) return restoreSession();
    std::vector<OpenRequest> requests;
    for (const std::string& name : given) {
        OpenRequest request = choices;
        const io::SampleInfo* sample = io::findSample(samples_, name);
        if (sample != nullptr) request.sample = *sample;
        request.path = fromStd(sample != nullptr ? sample->path : name);
        // Compiler records stand beside the document that was named before it.
        if (sample == nullptr && !requests.empty() && isSideFile(request.path)) {
            requests.back().side << request.path;
        } else {
            requests.push_back(std::move(request));
        }
    }
    for (const OpenRequest& request : requests)
        open(request);
}

void StudioWindow::restoreSession() {
    QSettings settings;
    const QStringList copies = settings.value(QStringLiteral("session/documents")).toStringList();
    const int shown = settings.value(QStringLiteral("session/shown")).toInt();
    // A session that brings the program down must not do so twice.
    settings.remove(QStringLiteral("session"));
    settings.sync();
    for (const QString& copy : copies) {
        if (!QFileInfo(copy).isFile()) continue;
        OpenRequest request;
        request.path = copy;
        request.from = OpenFrom::SessionCopy;
        open(request);
    }
    bar_->setCurrentIndex(qBound(0, shown, bar_->count() - 1));
}

void StudioWindow::storeSession() {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    current().storeLayout();
    QStringList copies;
    QDir().mkpath(sessionFolder());
    for (MainWindow* window : documents()) {
        if (window->controller().document() == nullptr) continue;
        const QString path = QStringLiteral("%1/%2.memplan").arg(sessionFolder()).arg(copies.size() + 1);
        if (io::writeFileAtomically(path.toStdString(), window->keeper().sessionText())) copies << path;
    }
    settings.setValue(QStringLiteral("session/documents"), copies);
    settings.setValue(QStringLiteral("session/shown"), bar_->currentIndex());
}

void StudioWindow::offerRecovery() {
    const QList<RecoverableCopy> copies = autosave_.recoverable();
    for (MainWindow* window : documents())
        window->offerRecovery(copies);
}

/// What is not saved is kept first: nobody knows what else is broken (UX 19.7).
void StudioWindow::showFault(const QString& text) {
    for (MainWindow* window : documents())
        window->keeper().saveCopy();
    current().showFault(text);
}

bool StudioWindow::maySaveAll() {
    QList<UnsavedDocument> unsaved;
    std::vector<MainWindow*> windows;
    for (MainWindow* window : documents()) {
        const Document* document = window->controller().document();
        if (document == nullptr || !document->isModified()) continue;
        unsaved << UnsavedDocument{document->name(), document->unsavedChanges()};
        windows.push_back(window);
    }
    if (unsaved.isEmpty()) return true;
    const SaveAnswer answer = askToSave(this, unsaved);
    if (answer != SaveAnswer::Save) return answer == SaveAnswer::Discard;
    return std::all_of(windows.begin(), windows.end(), [this](MainWindow* window) {
        bar_->setCurrentIndex(stack_->indexOf(window));
        return window->keeper().save();
    });
}

void StudioWindow::closeEvent(QCloseEvent* event) {
    if (!maySaveAll()) return event->ignore();
    if (!clean_) storeSession();
    for (MainWindow* window : documents()) {
        window->controller().task().cancel();
        window->keeper().forget();
    }
    event->accept();
}

}  // namespace memplan::app

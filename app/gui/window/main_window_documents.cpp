// SPDX-License-Identifier: GPL-3.0-or-later
// The window's side of opening and closing documents, alone or as one of several (UX 3.10, 3.11).
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/session/view_state.h"
#include "app/gui/window/actions.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/document_host.h"
#include "app/gui/window/instance_bar.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/notices.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/window/window_parts.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/kit/controls/strip.h"
#include "widgets/plan/units.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QStackedWidget>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

void MainWindow::setHost(DocumentHost* host) {
    host_ = host;
    keeper_->setAutosaveFolder(host == nullptr ? nullptr : &host->autosaveFolder());
}

void MainWindow::openFile(const QString& path) {
    if (parts_->side->takes(path)) return parts_->side->attach({path});
    OpenRequest wanted;
    wanted.path = path;
    wanted.settings = compileDefaults();
    request(wanted);
}

void MainWindow::openSample(const io::SampleInfo& sample) {
    OpenRequest wanted;
    wanted.path = fromStd(sample.path);
    wanted.sample = sample;
    request(wanted);
}

void MainWindow::request(const OpenRequest& wanted) {
    if (host_ != nullptr) {
        host_->open(wanted);
    } else {
        open(wanted);
    }
}

void MainWindow::open(const OpenRequest& wanted) {
    announced_ = false;
    controller_.open(wanted);
    emit titleChanged();
}

bool MainWindow::isVacant() const {
    return controller_.document() == nullptr && !controller_.task().isRunning();
}

void MainWindow::documentReady(const QByteArray& viewJson) {
    if (const auto units = unitsOf(viewJson)) setUnits(*units);
    applyViewState(*workspace_, controller_.hub(), viewJson);
    updateTitle();
    notices_->showOpened();
}

// ---- kinds of documents ------------------------------------------------------------------------------------

/// Hides what makes no sense for the kind; it comes back with a document of another kind (UX 2.1).
void MainWindow::fitToKind() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    const DocumentKind kind = document->kind();
    const bool isList = kind == DocumentKind::BufferList;
    workspace_->setHasOps(!isList);
    instanceBar_->setVisible(isList);
    docks_->fitTo(kind);
    toolBar_->fitToDocument();
    for (const char* id : {"plan.compile", "plan.cancel", "plan.automatic"})
        actions_->action(id)->setVisible(kind != DocumentKind::PlanFile);
}

/// The graph of a plan file with the settings and hints of the plan.
void MainWindow::planAgain() {
    const Document& document = *controller_.document();
    const Plan& plan = *document.current()->plan;
    OpenRequest wanted;
    wanted.path = document.origin().graphPath;
    wanted.machine = plan.machine;
    wanted.hints = plan.hints;
    wanted.hintsAreAll = true;
    for (const SettingInfo& info : allSettings()) {
        if (plan.settings.isExplicit(info.key))
            wanted.settings.emplace_back(std::string(info.key), plan.settings.textOf(info.key));
    }
    request(wanted);
}

void MainWindow::closeDocument() {
    if (host_ != nullptr) return host_->close(*this);
    if (keeper_->mayClose()) showStart();
}

void MainWindow::showStart() {
    controller_.close();  // documentClosed shows the start page
}

void MainWindow::leaveErrorPage() {
    facts_->showDocument(controller_.document());
    if (controller_.document() != nullptr) {
        showPage(documentPage_);
    } else if (host_ != nullptr) {
        host_->close(*this);
    } else {
        showPage(start_);
    }
}

QString MainWindow::tabTitle() const {
    if (const Document* document = controller_.document()) return document->name();
    if (controller_.task().isRunning() || pages_->currentWidget() == error_)
        return QFileInfo(controller_.lastRequest().path).completeBaseName();
    return tr("Start");
}

QString MainWindow::tabPath() const {
    const Document* document = controller_.document();
    if (document == nullptr) return {};
    const QString& workspace = document->origin().workspacePath;
    return workspace.isEmpty() ? fromStd(document->input().input.path) : workspace;
}

void MainWindow::offerRecovery(const QList<RecoverableCopy>& copies) {
    start_->setRecoverable(copies);
}

void MainWindow::showLayout() {
    if (!comesBack_ || !parts_->perspectives->showLast(kLayoutVersion)) resetLayout();
}

void MainWindow::storeLayout() {
    // Pages of errors and faults hide the docks.
    if (controller_.document() == nullptr || !isWorking_) return;
    // The user's own arrangement, not that of the moment: a view as large as the window, or two plans side by side.
    parts_->perspectives->leaveMaximised();
    parts_->compare->setOn(false);
    parts_->perspectives->storeLast(kLayoutVersion);
}

}  // namespace memplan::app

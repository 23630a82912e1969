// SPDX-License-Identifier: GPL-3.0-or-later
// The window's side of opening and closing documents, alone or as one of several (UX 3.10, 3.11).
#include "common/strip.h"
#include "core/units.h"
#include "error_page.h"
#include "main_window.h"
#include "session/document_host.h"
#include "session/document_keeper.h"
#include "session/view_state.h"
#include "start_page.h"
#include "workspace.h"

#include <QFileInfo>
#include <QSettings>
#include <QStackedWidget>

namespace memplan::app {

using ui::fromStd;

void MainWindow::setHost(DocumentHost* host) {
    host_ = host;
    keeper_->setAutosaveFolder(host == nullptr ? nullptr : &host->autosaveFolder());
}

void MainWindow::openFile(const QString& path) {
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
    const std::vector<Diagnostic>& findings = controller_.document()->input().diagnostics;
    for (const Diagnostic& d : findings) {
        // The rest stands in the problems; this one explains why a saved document looks different.
        if (d.code == "WSP-004")
            keeper_->strip()->setNotice(ui::Strip::Kind::Warning, QStringLiteral("warning"),
                                        fromStd(d.message) + QStringLiteral("; ") + fromStd(d.hint));
        if (d.code == "WSP-004") keeper_->strip()->show();
    }
}

void MainWindow::closeDocument() {
    if (host_ != nullptr) return host_->close(*this);
    if (keeper_->mayClose()) showStart();
}

void MainWindow::showStart() {
    controller_.close();  // documentClosed shows the start page
}

void MainWindow::leaveErrorPage() {
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

void MainWindow::restoreLayout() {
    storedState_ = QSettings().value(QStringLiteral("window/docks")).toByteArray();
}

void MainWindow::storeLayout() const {
    if (controller_.document() != nullptr)
        QSettings().setValue(QStringLiteral("window/docks"), saveState(kLayoutVersion));
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// The window while there is no plan to show: a file is read, a compile failed or was cancelled (UX 19.1, 19.2, 19.4,
// 19.5).
#include "app/gui/pages/start_page.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/notices.h"
#include "app/gui/window/status_facts.h"
#include "app/gui/workspace/workspace.h"
#include "engine/pipeline/pass.h"
#include "engine/target/compile.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/strip.h"
#include "widgets/plan/units.h"
#include "widgets/views/gantt/data/gantt_reasons.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>

namespace memplan::app {

using ui::fromStd;

namespace {
constexpr int kLoadingAfterMs = 200, kMessageMs = 10000;
}  // namespace

void MainWindow::connectWaiting() {
    BackgroundTask& task = controller_.task();
    auto* wait = new QTimer(this);
    wait->setSingleShot(true);
    wait->setInterval(kLoadingAfterMs);
    connect(wait, &QTimer::timeout, this, &MainWindow::showLoading);
    connect(&task, &BackgroundTask::started, wait, [this, wait] {
        if (controller_.document() == nullptr) wait->start();
    });
    connect(&task, &BackgroundTask::finished, wait, &QTimer::stop);
    connect(&task, &BackgroundTask::cancelled, wait, &QTimer::stop);
    connect(&task, &BackgroundTask::failed, wait, &QTimer::stop);
    connect(&task, &BackgroundTask::cancelled, this, &MainWindow::taskCancelled);
    connect(&task, &BackgroundTask::failed, this, [this] {
        if (controller_.document() != nullptr) return;
        isLoading_ = false;
        showAbsence();
        facts_->showDocument(nullptr);
        emit titleChanged();
    });
    connect(workspace_->problems(), &ui::ProblemsView::countsChanged, this, &MainWindow::showTableCounts);
    connect(workspace_, &Workspace::emptyAction, this, [this](const QString& key) {
        if (key == u"compile") controller_.compileNow();
        if (key == u"cancel") controller_.cancel();
        if (key == u"problems") docks_->show(DockId::Problems);
        if (key == ui::kPlanningOnKey) switchPlanningOn();
    });
}

/// An older plan may show this while the settings have planning on already: then there is a plan to make.
void MainWindow::switchPlanningOn() {
    Document* document = controller_.document();
    if (document == nullptr) return;
    if (document->settings().boolean(ui::kPlanningOnKey.data())) return controller_.compileNow();
    document->changeSetting(ui::kPlanningOnKey, QStringLiteral("true"));
}

/// A first document that takes its time gets the frame it will stand in: axes, docks, no data (19.2).
void MainWindow::showLoading() {
    if (controller_.document() != nullptr || !controller_.task().isRunning()) return;
    isLoading_ = true;
    showPage(documentPage_);
    showLayout();
    docks_->setWaiting(true);
    workspace_->view(QStringLiteral("gantt"))->setFocus();
    showAbsence();
    facts_->showOpening();
}

/// Says in the views why they are empty; without effect on those that have a plan.
void MainWindow::showAbsence() {
    const Document* document = controller_.document();
    if (document != nullptr) isLoading_ = false;
    if (document != nullptr) docks_->setWaiting(false);
    if (isLoading_) {
        const QString name = QFileInfo(controller_.lastRequest().path).fileName();
        workspace_->setAbsence(ui::EmptyText{QStringLiteral("open"), tr("Opening %1").arg(name),
                                             tr("Progress stands in the status bar."), tr("Cancel"),
                                             QStringLiteral("cancel")},
                               true);
    } else if (document != nullptr && document->state() == PlanState::Compiling) {
        workspace_->setAbsence(ui::EmptyText{QStringLiteral("compile"), tr("Compiling"),
                                             tr("Progress stands in the status bar."), tr("Cancel"),
                                             QStringLiteral("cancel")});
    } else if (document != nullptr && document->state() == PlanState::Failed && document->failure()) {
        const Diagnostic& first = document->failure()->error.primary();
        workspace_->setAbsence(ui::EmptyText{QStringLiteral("error"), tr("The compile failed, there is no plan yet"),
                                             fromStd(first.message), tr("Show problems"), QStringLiteral("problems")});
    } else {
        workspace_->setAbsence(std::nullopt);
    }
}

void MainWindow::taskCancelled(double seconds, const QString& what) {
    const QString when = QString::number(seconds, 'f', 1);
    if (controller_.document() == nullptr) {
        isLoading_ = false;
        showAbsence();
        showPage(start_);
        facts_->showDocument(nullptr);
        statusBar()->showMessage(
            tr("Opening %1 cancelled after %2 s").arg(QFileInfo(controller_.lastRequest().path).fileName(), when),
            kMessageMs);
        emit titleChanged();
        return;
    }
    notices_->showCancelled(seconds, what);
}

}  // namespace memplan::app

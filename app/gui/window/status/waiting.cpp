// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/status/waiting.h"

#include "app/gui/window/docks/docks.h"
#include "app/gui/workspace/workspace.h"
#include "engine/target/target.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/plan/units.h"
#include "widgets/views/gantt/data/gantt_reasons.h"

#include <QFileInfo>
#include <QTimer>

namespace memplan::app {

using ui::fromStd;

namespace {
constexpr int kLoadingAfterMs = 200;
}  // namespace

Waiting::Waiting(DocumentController& controller, Workspace& workspace, Docks& docks, QObject* parent)
    : QObject(parent), controller_(controller), workspace_(workspace), docks_(docks) {
    BackgroundTask& task = controller_.task();
    auto* wait = new QTimer(this);
    wait->setSingleShot(true);
    wait->setInterval(kLoadingAfterMs);
    connect(wait, &QTimer::timeout, this, &Waiting::startLoading);
    connect(&task, &BackgroundTask::started, wait, [this, wait] {
        if (controller_.document() == nullptr) wait->start();
    });
    connect(&task, &BackgroundTask::finished, wait, &QTimer::stop);
    connect(&task, &BackgroundTask::cancelled, wait, &QTimer::stop);
    connect(&task, &BackgroundTask::failed, wait, &QTimer::stop);
    connect(&task, &BackgroundTask::cancelled, this, &Waiting::taskCancelled);
    connect(&task, &BackgroundTask::failed, this, [this] {
        if (controller_.document() != nullptr) return;
        end();
        show();
        emit ended({});
    });
    connect(&workspace_, &Workspace::emptyAction, this, &Waiting::act);
}

void Waiting::end() {
    isLoading_ = false;
}

void Waiting::act(const QString& key) {
    if (key == u"compile") controller_.compileNow();
    if (key == u"cancel") controller_.cancel();
    if (key == u"problems") docks_.show(DockId::Problems);
    if (key == ui::kPlanningOnKey) switchPlanningOn();
}

/// An older plan may show this while the settings have planning on already: then there is a plan to make.
void Waiting::switchPlanningOn() {
    Document* document = controller_.document();
    if (document == nullptr) return;
    const std::string_view placement = settingRoles(document->target()).placement;
    if (placement.empty() || document->settings().boolean(placement)) return controller_.compileNow();
    document->changeSetting(fromStd(std::string(placement)), QStringLiteral("true"));
}

void Waiting::startLoading() {
    if (controller_.document() != nullptr || !controller_.task().isRunning()) return;
    isLoading_ = true;
    emit loading();
    docks_.setWaiting(true);
    workspace_.view(QStringLiteral("gantt"))->setFocus();
    show();
}

void Waiting::show() {
    const Document* document = controller_.document();
    if (document != nullptr) end();
    if (document != nullptr) docks_.setWaiting(false);
    if (isLoading_) {
        const QString name = QFileInfo(controller_.lastRequest().path).fileName();
        workspace_.setAbsence(ui::EmptyText{QStringLiteral("open"), tr("Opening %1").arg(name),
                                            tr("Progress stands in the status bar."), tr("Cancel"),
                                            QStringLiteral("cancel")},
                              true);
    } else if (document != nullptr && document->state() == PlanState::Compiling) {
        workspace_.setAbsence(ui::EmptyText{QStringLiteral("compile"), tr("Compiling"),
                                            tr("Progress stands in the status bar."), tr("Cancel"),
                                            QStringLiteral("cancel")});
    } else if (document != nullptr && document->state() == PlanState::Failed && document->failure()) {
        const Diagnostic& first = document->failure()->error.primary();
        workspace_.setAbsence(ui::EmptyText{QStringLiteral("error"), tr("The compile failed, there is no plan yet"),
                                            fromStd(first.message), tr("Show problems"), QStringLiteral("problems")});
    } else {
        workspace_.setAbsence(std::nullopt);
    }
}

void Waiting::taskCancelled(double seconds, const QString& step) {
    if (controller_.document() != nullptr) return emit compileCancelled(seconds, step);
    end();
    show();
    emit ended(tr("Opening %1 cancelled after %2 s")
                   .arg(QFileInfo(controller_.lastRequest().path).fileName(), QString::number(seconds, 'f', 1)));
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/gantt_build.h"

#include <QPromise>
#include <QThreadPool>

#include <utility>

namespace memplan::ui {

GanttModel buildGanttModel(PlanPtr plan) {
    GanttDataPtr data = buildGanttData(std::move(plan));
    auto hit = std::make_shared<const GanttHitGrid>(data);
    return {std::move(data), std::move(hit)};
}

bool GanttBuild::isLarge(const PlanPtr& plan) {
    return plan && plan->buffers.size() + plan->ops.size() >= kAtOnce;
}

GanttBuild::GanttBuild(QObject* parent) : QObject(parent) {
    connect(&watcher_, &QFutureWatcher<GanttModel>::finished, this, &GanttBuild::take);
}

// The worker has the plan and the promise for itself: nobody waits for it.
GanttBuild::~GanttBuild() {
    drop();
}

void GanttBuild::start(PlanPtr plan) {
    drop();
    job_ = std::make_shared<Job>();
    job_->plan = std::move(plan);
    auto promise = std::make_shared<QPromise<GanttModel>>();
    promise->start();
    watcher_.setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, job = job_] {
        if (!job->isTaken.exchange(true)) promise->addResult(buildGanttModel(job->plan));
        promise->finish();
    });
}

void GanttBuild::drop() {
    if (job_ == nullptr) return;
    job_->isTaken = true;  // not begun: it never does
    job_.reset();
    watcher_.setFuture({});
}

void GanttBuild::finish() {
    if (job_ == nullptr) return;
    if (job_->isTaken.exchange(true)) {
        watcher_.waitForFinished();
        return take();
    }
    // All threads are busy with something else.
    const PlanPtr plan = job_->plan;
    drop();
    emit made(buildGanttModel(plan));
}

void GanttBuild::take() {
    if (job_ == nullptr || watcher_.future().resultCount() == 0) return;
    const GanttModel model = watcher_.result();
    job_.reset();
    emit made(model);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/geometry/gantt_build.h"

#include "widgets/kit/controls/notices/fault.h"

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

GanttBuild::GanttBuild(QObject* parent, Maker make) : QObject(parent), make_(make) {
    connect(&watcher_, &QFutureWatcher<GanttModel>::finished, this, &GanttBuild::take);
}

// The worker has the plan and its result for itself: nobody waits for it.
GanttBuild::~GanttBuild() {
    drop();
}

void GanttBuild::start(PlanPtr plan) {
    drop();
    job_ = std::make_shared<Job>();
    job_->plan = std::move(plan);
    watcher_.setFuture(
        inPool([make = make_, job = job_] { return job->isTaken.exchange(true) ? GanttModel() : make(job->plan); }));
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
    std::optional<GanttModel> model;
    try {
        model = make_(plan);
    } catch (...) {
        return reportFault(std::current_exception());
    }
    emit made(*model);
}

void GanttBuild::take() {
    if (job_ == nullptr) return;
    job_.reset();
    // Without a result the work failed, and that has been one.
    if (watcher_.future().resultCount() > 0) emit made(watcher_.result());
}

}  // namespace memplan::ui

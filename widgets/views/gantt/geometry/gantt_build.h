// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and hit grid of a plan, made off the window's thread where that takes long (user-experience 2.15, A.4).
#pragma once

#include "widgets/views/gantt/geometry/gantt_hit.h"

#include <QFutureWatcher>
#include <QObject>

#include <atomic>

namespace memplan::ui {

/// What a memory map draws and hits; nothing of it changes once it is made.
struct GanttModel {
    GanttDataPtr data;
    std::shared_ptr<const GanttHitGrid> hit;
};

/// Pure, any thread.
[[nodiscard]] GanttModel buildGanttModel(PlanPtr plan);

class GanttBuild final : public QObject {
    Q_OBJECT
public:
    /// Buffers and operations from which on a worker makes it; fewer take a few ms, and the view never shows a frame
    /// without them.
    static constexpr std::size_t kAtOnce = 25'000;
    [[nodiscard]] static bool isLarge(const PlanPtr& plan);

    using Maker = GanttModel (*)(PlanPtr plan);
    /// `make` is called on any thread.
    explicit GanttBuild(QObject* parent, Maker make = buildGanttModel);
    ~GanttBuild() override;
    /// What is under way for another plan is dropped: its result never arrives.
    void start(PlanPtr plan);
    void drop();
    [[nodiscard]] bool isRunning() const { return job_ != nullptr; }
    [[nodiscard]] bool isMaking(const PlanPtr& plan) const { return job_ != nullptr && job_->plan == plan; }
    /// Waits for the worker, or does its work when it has not begun; made() is emitted before it returns, unless the
    /// work failed, which is reported as a fault.
    void finish();

signals:
    void made(const memplan::ui::GanttModel& model);

private:
    /// Shared with the worker, which outlives the view if it must.
    struct Job {
        PlanPtr plan;
        std::atomic<bool> isTaken = false;  ///< by the worker, or by somebody who does not want it any more
    };
    void take();

    Maker make_;
    std::shared_ptr<Job> job_;
    QFutureWatcher<GanttModel> watcher_;
};

}  // namespace memplan::ui

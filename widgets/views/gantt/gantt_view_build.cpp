// SPDX-License-Identifier: GPL-3.0-or-later
// A new plan in the Gantt: small ones at once, large ones from a worker (user-experience 2.15, A.4).
#include "widgets/views/gantt/gantt_view.h"

#include <utility>

namespace memplan::ui {

void GanttView::planReplaced() {
    cancelDrag();
    toggles_.overlay.reset();
    const bool isLarge = GanttBuild::isLarge(plan());
    if (isLarge && build_->isMaking(plan())) return;
    if (isLarge && data_->plan == plan()) return adopt({data_, hit_});
    build_->drop();
    if (!isLarge) return adopt(buildGanttModel(plan()));
    // Nothing of the old plan may be taken for the new one's: until it is there the frame stands alone.
    static const GanttModel kNothing = buildGanttModel(nullptr);
    data_ = kNothing.data;
    hit_ = kNothing.hit;
    raster_->clear();
    rasterLayout_.reset();
    lookRevision_ = 0;
    build_->start(plan());
}

void GanttView::adopt(const GanttModel& model) {
    data_ = model.data;
    hit_ = model.hit;
    raster_->clear();
    rasterLayout_.reset();
    lookRevision_ = 0;
    refold();
    // The same axes keep the zoom, so that two plans can be flicked through.
    const std::pair axes{data_->steps, data_->physical};
    if (std::exchange(axes_, axes) != axes) setViewport(ganttFit(*data_, state(), canvasSize()));
}

/// From the worker: what was told with the new plan is told again, now that there is something to see.
void GanttView::arrived(const GanttModel& model) {
    adopt(model);
    updateEmptyBlock();
    setAccessibleDescription(stateSentence());
    update();
    emit dataChanged();
    emit scopeChanged();
}

void GanttView::settle() {
    build_->finish();
}

}  // namespace memplan::ui

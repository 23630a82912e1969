// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/shipped_view.h"

#include "app/gui/preferences/appearance.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/graph/graph_view.h"
#include "widgets/views/residual/residual_view.h"

namespace memplan::app {
namespace {

bool isShipped(const ui::CoreGridView& view) {
    const ui::CoreGridState now = view.state(), shipped;
    return now.mode == shipped.mode && now.metric == shipped.metric && now.isAutoRange == shipped.isAutoRange &&
           !now.op.isValid() && !now.pair && now.core < 0;
}

bool isShipped(ui::GraphView& view) {
    return view.overlay() == ui::Overlay::Residency && view.isMapVisible() && view.trace().isEmpty() &&
           !view.hasMatches() && view.arranger().isAsOpened() && view.arranger().direction() == preferredDirection();
}

}  // namespace

bool hasShippedToggles(const ui::GanttView& view) {
    const ui::GanttState& now = view.toggles();
    const ui::GanttState shipped;
    return view.units() == preferredUnits() && view.foldsEmpty() && now.offChipLane == shipped.offChipLane &&
           now.addressDown == shipped.addressDown && now.colour == shipped.colour &&
           now.sizeBucket == shipped.sizeBucket && now.reason == shipped.reason;
}

bool looksAsOpened(ui::GraphicView& view) {
    if (view.units() != preferredUnits()) return false;
    if (const auto* gantt = qobject_cast<ui::GanttView*>(&view))
        return !gantt->toggles().overlay && hasShippedToggles(*gantt);
    if (const auto* cores = qobject_cast<ui::CoreGridView*>(&view)) return isShipped(*cores);
    if (const auto* residual = qobject_cast<ui::ResidualView*>(&view)) return residual->isAsOpened();
    auto* graph = qobject_cast<ui::GraphView*>(&view);
    return graph == nullptr || isShipped(*graph);
}

}  // namespace memplan::app

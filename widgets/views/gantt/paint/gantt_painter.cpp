// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/gantt_painter.h"

#include "widgets/kit/vector/svg_device.h"
#include "widgets/views/gantt/paint/parts/gantt_frame_painter.h"
#include "widgets/views/gantt/paint/parts/gantt_ghost_painter.h"
#include "widgets/views/gantt/paint/parts/gantt_item_painter.h"
#include "widgets/views/gantt/paint/parts/gantt_lane_painter.h"
#include "widgets/views/gantt/paint/parts/gantt_note_painter.h"
#include "widgets/views/gantt/paint/parts/gantt_overlay_painter.h"
#include "widgets/views/gantt/paint/parts/gantt_strip_painter.h"

#include <algorithm>

namespace memplan::ui {

namespace {

/// Where the selected buffer, or the one that a selected clone or source stands for, would be if it was refused.
std::optional<GhostPlace> ghostOfSelection(const GanttScene& scene) {
    const SelectionState& s = scene.state.selection;
    if (!scene.data.plan || !s.primary) return std::nullopt;
    std::vector<ItemId> candidates{*s.primary};
    candidates.insert(candidates.end(), s.twins.begin(), s.twins.end());
    for (const ItemId id : candidates) {
        if (id.kind != ItemKind::Buffer) continue;
        if (auto ghost = ghostOf(scene.data, BufferId{id.index})) return ghost;
    }
    return std::nullopt;
}

}  // namespace

void paintGantt(QPainter& painter, const GanttScene& scene, const Theme& theme, QSizeF size) {
    GanttPicture picture{
        painter, scene, theme, size, ganttLayout(scene.data, scene.state, size), SvgDevice::of(painter) != nullptr};
    picture.ghost = ghostOfSelection(scene);
    GanttFramePainter frame(picture);
    GanttStripPainter around(picture);
    GanttItemPainter items(picture);
    GanttOverlayPainter over(picture);
    GanttGhostPainter ghost(picture);
    const bool isDragged = scene.state.drag.has_value();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    frame.placeLimitWords();
    frame.grid();
    frame.foldMark();
    frame.reserved();
    around.strip();
    around.histogram();
    around.loopBands();
    painter.save();
    painter.setClipRect(picture.layout.plot.adjusted(0, -1, 1, 1));
    if (scene.raster) {
        items.rasterItems();
        items.overlapHatches();
    } else {
        items.items();
    }
    painter.restore();
    over.otherOutlines();
    if (!isDragged) ghost.ghostPlace();  // the limits that it crosses stay readable
    frame.limits();
    frame.emptyWords();
    over.moveArrows();
    over.changeSigns();
    over.selection();
    items.discs();
    if (!isDragged) ghost.ghostWords();
    ghost.drag();
    frame.axes();
    GanttLanePainter(picture).lane();
    over.range();
    over.timeCursor();
    GanttNotePainter(picture).notes();
    painter.restore();
}

std::size_t visibleRectangles(const GanttData& data, const GanttLayout& layout) {
    const auto [first, last] = visibleItems(data, layout.x.visibleBegin(), layout.x.visibleEnd());
    return last - first + data.longItems.size();
}

std::size_t visibleBars(const GanttData& data, const GanttLayout& layout) {
    if (layout.lane.isEmpty()) return 0;
    const double begin = layout.x.visibleBegin(), end = layout.x.visibleEnd();
    return static_cast<std::size_t>(std::ranges::count_if(
        data.offChip, [&](const OffChipItem& item) { return item.life.end > begin && item.life.begin < end; }));
}

}  // namespace memplan::ui

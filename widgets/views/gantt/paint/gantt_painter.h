// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the Gantt; screen, PNG, SVG and PDF use it alike (architecture 8.1). Its parts are classes of their own; here
// stands their order (design-system 11.1).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

void paintGantt(QPainter& painter, const GanttScene& scene, const Theme& theme, QSizeF size);
/// Rectangles that would be drawn; the view changes to a raster above a limit.
[[nodiscard]] std::size_t visibleRectangles(const GanttData& data, const GanttLayout& layout);
/// The same for bars of the off-chip lane.
[[nodiscard]] std::size_t visibleBars(const GanttData& data, const GanttLayout& layout);

}  // namespace memplan::ui

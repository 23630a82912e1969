// SPDX-License-Identifier: GPL-3.0-or-later
// Colour groups of the Gantt for each "colour by" mode (user-experience 7.7) with their legend.
#pragma once

#include "widgets/kit/theme/patterns.h"
#include "widgets/views/gantt/geometry/gantt_layout.h"

#include <cstdint>

namespace memplan::ui {

struct GroupLook {
    PatternInk ink;
    QColor edge;
    LegendEntry legend;
};

struct GanttLook {
    std::vector<std::uint8_t> groupOf;  ///< per buffer of the plan
    std::vector<GroupLook> groups;
    std::vector<LegendEntry> legend;  ///< only what is on screen

    [[nodiscard]] const GroupLook& of(BufferId id) const { return groups[groupOf[id.at()]]; }
};

[[nodiscard]] GanttLook ganttLook(const GanttData& data, GanttColour colour, const Theme& theme);
[[nodiscard]] QString colourName(GanttColour colour);
[[nodiscard]] std::vector<GanttColour> allGanttColours();
/// Share of the memory above the usable limit: "20.0 %".
[[nodiscard]] QString reservedShare(const GanttData& data);
/// Bucket of the size histogram: floor of log2.
[[nodiscard]] int sizeBucket(Bytes size);
/// By the size histogram or by the reasons (7.5, 7.10): the picture dims such a buffer, the table leaves it out.
[[nodiscard]] bool isFilteredOut(const GanttState& filter, const PlanBuffer& buffer);
inline constexpr double kFilteredOpacity = 0.3;

}  // namespace memplan::ui

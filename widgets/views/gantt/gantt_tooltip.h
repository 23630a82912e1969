// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory map says of a buffer, a loop or a step under the pointer (user-experience 7, 2.4).
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/plan/loop_groups.h"
#include "widgets/views/gantt/data/gantt_data.h"

namespace memplan::ui {

[[nodiscard]] TooltipText bufferTooltip(const GanttData& data, BufferId id);
[[nodiscard]] TooltipText loopTooltip(const LoopGroups& loops, int loop);
[[nodiscard]] TooltipText stepTooltip(const GanttData& data, Step step);

}  // namespace memplan::ui

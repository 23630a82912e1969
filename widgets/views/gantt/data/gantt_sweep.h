// SPDX-License-Identifier: GPL-3.0-or-later
// One pass over the schedule: live bytes and the largest free block at each step.
#pragma once

#include "widgets/views/gantt/data/gantt_item.h"

#include <vector>

namespace memplan::ui {

struct SweepResult {
    std::vector<Bytes> live;         ///< in-place pairs count once at the hand-over step
    std::vector<Bytes> largestFree;  ///< below `usable`
};

/// O((items + steps) log items).
[[nodiscard]] SweepResult sweepSteps(const std::vector<GanttItem>& items, Step steps, Bytes usable);

}  // namespace memplan::ui

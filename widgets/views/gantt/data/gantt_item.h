// SPDX-License-Identifier: GPL-3.0-or-later
// A placed buffer as a rectangle over steps and addresses; no Qt types.
#pragma once

#include "engine/plan/plan.h"

namespace memplan::ui {

struct GanttItem {
    Step start = 0;
    Step end = 0;      ///< lifetime's end
    Step drawEnd = 0;  ///< end, or the start of the in-place child that covers the tail
    Address address = 0;
    Bytes size = 0;
    BufferId buffer;
};

}  // namespace memplan::ui

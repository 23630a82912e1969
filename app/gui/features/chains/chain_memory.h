// SPDX-License-Identifier: GPL-3.0-or-later
// The memory picture (ttnn-optimizer 15.2) as bars: the L1 of a core and the DRAM at one position of the schedule.
#pragma once

#include "widgets/views/coregrid/data/memory_stack.h"

namespace memplan::app {

[[nodiscard]] std::vector<ui::MemoryStack> chainMemory(const Plan& plan, Step position);

/// The same with the device's cores and the result of an operation as its grid cuts it, for the core grid.
[[nodiscard]] ui::CoreSources chainCores();

}  // namespace memplan::app

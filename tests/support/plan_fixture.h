// SPDX-License-Identifier: GPL-3.0-or-later
// Plans for tests of the window: two true ones written by hand and a generator of large ones.
#pragma once

#include "engine/plan/plan.h"

#include <cstdint>

namespace memplan::fixture {

/// Sample S1 at stage 4 with the numbers of spyre-scratchpad 12: clone, sub, exp at 0, max and sum
/// at 1 048 576, peak 1 050 624, traffic 2 097 152 B, one core.
[[nodiscard]] PlanPtr softmaxStage4();

/// An encoder layer of 36 ops on 32 cores, 29 of 36 buffers on chip; `masked` lost the packing to `v`
/// (design README, picture c).
[[nodiscard]] PlanPtr encoderLayer();

/// `buffers` placed buffers of a valid packing (no two live ones overlap), the same for a seed.
[[nodiscard]] PlanPtr synthetic(int buffers, std::uint32_t seed = 1);

}  // namespace memplan::fixture

// SPDX-License-Identifier: Apache-2.0
// The L1 interleaved fallback (ttnn-optimizer 7.1): values that the very next operation reads alone stay in L1.
#pragma once

#include "engine/ttnn/search/search_space.h"
#include "engine/ttnn/solution/transformed.h"

namespace memplan::ttnn {

/// Upgrades in the order of the function; `space` is that of the input. Nothing is upgraded that would not fit beside
/// what lives in L1 at that position.
void upgradeToL1Interleaved(Transformed& transformed, const SearchSpace& space, OpModel& model);

}  // namespace memplan::ttnn

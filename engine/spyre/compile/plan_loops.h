// SPDX-License-Identifier: Apache-2.0
// The loops, kernels and pool of a Spyre compile as parts of its plan (spyre-coarse-tiling-and-bundle 19).
#pragma once

#include "engine/plan/plan.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/state.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// ranges, tiled dimensions, symbols and dimension hints of one op.
void addTilingData(const spyre::Program& program, std::size_t op, SpyreOpData& data);

/// target_data beside the ops. `planId` maps buffers of the program to those of the plan, invalid = not there.
[[nodiscard]] SpyreData bundleData(const State& state, const std::vector<BufferId>& planId,
                                   const std::vector<PassRun>& passes);

}  // namespace memplan::spyre

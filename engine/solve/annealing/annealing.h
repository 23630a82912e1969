// SPDX-License-Identifier: Apache-2.0
// Simulated annealing over the order of the permutation packer (scratchpad 7.2).
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/problem/solution.h"

namespace memplan::solve {

/// Never worse in quality than the packing of its start order. A passed deadline ends it with the best order so
/// far and Status::Stopped; cancelling is an error. `params`: seed, annealingSteps, annealingStart.
[[nodiscard]] Result<Solution> placeByAnnealing(const Problem& problem, const SolverParams& params,
                                                const RunControl& control);

}  // namespace memplan::solve

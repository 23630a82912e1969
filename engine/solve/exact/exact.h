// SPDX-License-Identifier: Apache-2.0
// Exact placement (scratchpad 8): branch and bound over addresses that never fall, on the parts of time that
// no lifetime crosses.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/exact_options.h"
#include "engine/solve/problem/solution.h"

#include <cstdint>

namespace memplan::solve {

struct ExactResult {
    Solution solution;            ///< Optimal, or Stopped when something is not proved
    std::int64_t value = 0;       ///< of the solution, under the goal
    std::int64_t upperBound = 0;  ///< no placement is worth more
};

/// Maximises the value, then lowers the peak and the addresses as far as the node bound allows.
/// A passed deadline ends with the best found and Status::Stopped; cancelling is an error.
[[nodiscard]] Result<ExactResult> solveExactly(const Problem& problem, const ExactOptions& options,
                                               const RunControl& control);

}  // namespace memplan::solve

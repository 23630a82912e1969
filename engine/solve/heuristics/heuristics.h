// SPDX-License-Identifier: Apache-2.0
// The three constructive solvers as functions on a checked problem (scratchpad 5 and 6). Their results are
// those of the chapters, address for address; the work grows with n log n plus the number of overlapping pairs.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/problem/solution.h"

namespace memplan::solve {

enum class Fit { First, Best };

/// Chapter 5. Status::Stopped when the deadline passed: what was not placed yet stays in main memory.
[[nodiscard]] Result<Solution> placeGreedily(const Problem& problem, const RunControl& control);

/// Chapter 5 under the hints of 4.1; what the function above does for a problem with hints.
[[nodiscard]] Result<Solution> placeGreedilyWithHints(const Problem& problem, const RunControl& control);

/// Chapter 6.
[[nodiscard]] Result<Solution> placeInOrder(const Problem& problem, Fit fit, Ordering ordering,
                                            const RunControl& control);

/// Chapter 6.1: the order in which `placeInOrder` visits the candidates.
[[nodiscard]] std::vector<int> placementOrder(const Problem& problem, Ordering ordering);

/// The error that a cancelled solver ends with.
[[nodiscard]] Error cancelledError();

}  // namespace memplan::solve

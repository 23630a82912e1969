// SPDX-License-Identifier: Apache-2.0
// Places a fixed set of shapes into one memory, all of them or none: the second step of the exact solver and the whole
// of `--objective fit` (performance-and-toolchain 5, "Exact solver"). Selecting what to place is not done here.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/stacking_problem.h"

#include <cstdint>

namespace memplan::solve {

/// Any placement can be pushed down until every shape rests on the floor or on another shape. The search keeps one
/// settled floor per column and works like this:
///   1. Lift each floor to the lowest address at which one of its remaining shapes can rest; fail where the shapes
///      that remain, each not before its resting address, no longer fit under the capacity.
///   2. Treat parts of time that no remaining shape joins on their own: one that fails, fails them all.
///   3. Take the column with the fewest shapes that can lie directly on its floor, weighted by how often it failed
///      (ties: less slack, lower column). Try each of them; then none, which lifts that floor to the top of the
///      lowest shape that could carry one of them.
///   4. Remember floors and remaining shapes that failed.
/// Runs with different preferences and growing node limits follow each other; a run that ends without reaching its
/// limit proves that there is no placement. No clock and no random draw: the same problem gives the same result.
[[nodiscard]] Stacking stackAll(const StackingProblem& problem, std::int64_t maxNodes, const RunControl& control);

}  // namespace memplan::solve

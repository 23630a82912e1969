// SPDX-License-Identifier: Apache-2.0
// Exact placement (spyre-scratchpad 8): branch and bound over addresses that never fall, on the parts of time that
// no lifetime crosses.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/goal.h"
#include "engine/solve/solution.h"

#include <cstdint>

namespace memplan::solve {

struct ExactOptions {
    Goal goal = Goal::Bytes;
    /// Nodes of the search, shared by the separable parts; a bound in nodes and not in seconds keeps results
    /// reproducible.
    std::int64_t maxNodes = 1'000'000;
    /// Nodes for placing a chosen set, per separable part and try (stacking.h).
    std::int64_t maxStackingNodes = 2'000'000;
    std::int64_t maxSetNodes = 1'600;            ///< the same, for each set that the selection proposes
    std::int64_t maxSelectionStacking = 40'000;  ///< the same, for all sets that it proposes for one part
    std::int64_t maxSelections = 6'000;          ///< nodes of the selection, per separable part
    std::int64_t maxPivots = 60'000;             ///< and steps of the simplex method
    std::int64_t maxProgrammeNodes = 2'000;      ///< subproblems of GLPK, per separable part, where nothing else proved
    std::int64_t maxProgrammeSteps = 40'000;     ///< and steps of its simplex method
    std::int64_t maxRoomStacking = 48'000;       ///< the same, for sets that leave some room, per separable part
    std::int64_t maxOrderWork = 10'000'000;      ///< column steps of the search over orders, per separable part
    /// Only a placement of every buffer counts (`--objective fit`): parts of every size are placed as a whole first,
    /// and one that provably cannot be is not searched for its best selection.
    bool mustPlaceAll = false;
    std::int64_t maxFitNodes = 20'000'000;  ///< replaces maxStackingNodes under mustPlaceAll
};

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

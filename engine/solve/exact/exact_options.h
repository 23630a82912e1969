// SPDX-License-Identifier: Apache-2.0
// What the exact solver maximises, and how long it may look.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <cstdint>

namespace memplan::solve {

/// What is maximised over the buffers placed.
enum class Goal {
    Bytes,    ///< their sizes
    Traffic,  ///< main memory bytes that their residency saves (`traffic`)
    Quality,  ///< twice the quality of chapter 7.1
};

/// Value of one placed buffer under `goal`.
[[nodiscard]] std::int64_t valueOf(const Item& item, Goal goal);

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

}  // namespace memplan::solve

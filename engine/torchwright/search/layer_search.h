// SPDX-License-Identifier: Apache-2.0
// Looks for an assignment of layers that is no layer too long and nowhere overfull (torchwright.md 17), by annealing: a
// unit is moved, with those in its way, and the excess of heads, slots and columns over what the layers have decides
// whether the move stays. Counted moves alone bound it, so that the same seed gives the same result on every machine.
#pragma once

#include "engine/base/run_control.h"
#include "engine/base/search_trace.h"
#include "engine/torchwright/search/assignment.h"

#include <cstdint>
#include <functional>

namespace memplan::torchwright {

struct SearchEffort {
    std::int64_t movesOfTry = 200'000;  ///< of the first try for a number of layers; each further one has twice as many
    int tries = 3;
    std::int64_t fillsOfProof = 8'000'000;  ///< that are looked at to rule out a number of layers
    std::uint64_t seed = 0;
};

/// Asks a proof about a number of layers.
using AskProof = std::function<LayerAnswer(int layers)>;

struct LayerPlan {
    int layers = 0;            ///< 0 = none
    std::vector<int> layerOf;  ///< by unit
};

struct LayerSearchResult {
    LayerPlan plan;  ///< none where nothing better than the start was found
    std::int64_t moves = 0;
    SearchTrace trace;  ///< of the layers saved
};

/// Shortens `start` layer by layer, down to `bound` at best; an overfull start is repaired first. Before it tries a
/// number of layers for long, it asks the proof.
[[nodiscard]] LayerSearchResult searchLayers(const UnitModel& model, const LayerPlan& start, int bound,
                                             const SearchEffort& effort, const AskProof& askProof,
                                             const RunControl& control);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// A schedule at least as good as the heuristic one, with the number of layers that none goes below (torchwright.md 17).
//
//   heuristic      the schedule of chapter 7, as without a search
//   scopes         automatic K over the clusters that fill the stream: a better start
//   order          where none of these compiles: units one after the other, which needs the fewest columns
//   layers         annealing over the layers of all units, one layer fewer at a time
//   proof          every way to fill fewer layers, where parallel chains are alike enough to be counted
//
// It ends early at the bound. Counts bound it, never a clock: `engine.time_limit_seconds` is the user's own limit.
#pragma once

#include "engine/torchwright/search/bounds.h"
#include "engine/torchwright/search/layer_search.h"
#include "engine/torchwright/search/scope_search.h"

namespace memplan::torchwright {

/// What a level of `torchwright.optimize` (1 to 3) may spend.
[[nodiscard]] SearchEffort effortOf(int level, std::uint64_t seed);

enum class ScheduleOrigin { Heuristic, Scopes, Search };

struct BetterSchedule {
    Schedule schedule;  ///< never worse than the heuristic one: layers, then allocated parameters
    ScheduleOrigin origin = ScheduleOrigin::Heuristic;
    int heuristicLayers = 0;  ///< 0 = it does not compile
    /// None where the graph cannot be scheduled under these options at all, and where its Linears can be chained in
    /// more than one way.
    std::optional<LayerBounds> bounds;
    std::vector<ChosenScope> scopes;   ///< that automatic K found, also where the search went further
    int scopedLayers = 0;              ///< with them, 0 = none found
    int compiles = 0;                  ///< of the scope search
    std::optional<SearchTrace> trace;  ///< of the layer search, where it ran

    /// No schedule keeps to max_layers.
    [[nodiscard]] bool isRuledOut() const { return bounds && bounds->best() > schedule.options.maxLayers; }
    /// No schedule of these units has fewer layers.
    [[nodiscard]] bool isProved() const { return schedule.ok() && bounds && schedule.layerCount() <= bounds->best(); }
};

[[nodiscard]] BetterSchedule betterSchedule(const NodeGraph& graph, const ScheduleOptions& options,
                                            const SearchEffort& effort, const PlateauRule& plateaus,
                                            const RunControl& control);

}  // namespace memplan::torchwright

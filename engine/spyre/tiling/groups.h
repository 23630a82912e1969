// SPDX-License-Identifier: Apache-2.0
// From hints to groups of ops that share one loop nest (spyre-coarse-tiling-and-bundle 2.4, 2.5).
#pragma once

#include "engine/spyre/program.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// One level of a group: hint id, tile count, positions of the dimensions that the first op tiles.
struct TileLevel {
    int hintId = 0;
    std::int64_t count = 1;
    std::vector<int> dims;
    bool isReduction = false;
};

/// A run of consecutive computed ops with the same set of hint ids.
struct HintGroup {
    std::vector<int> ops;  ///< positions in the given list
    std::vector<TileLevel> levels;
};

struct HintGroups {
    std::vector<HintGroup> groups;
    std::vector<std::vector<int>> ignored;  ///< runs of which no op iterates over a hinted dimension
};

/// Hints of each op in list order, nullptr for an op that is not computed: those are skipped and end no run.
using HintedOps = std::vector<const std::vector<DimHint>*>;

/// Reduction levels are kept and flagged (`withReductionLevels`), or left out as the pipeline does.
[[nodiscard]] HintGroups hintsToCoarseTileGroups(const HintedOps& hints, bool withReductionLevels);

/// An op as the reordering sees it.
struct OrderedOp {
    std::string name;
    const std::vector<DimHint>* hints = nullptr;  ///< nullptr: not computed
    std::vector<std::string> reads, writes;       ///< buffer names
};

/// An op that exchanges values with both sides of a run and so can move neither in front of it nor behind it.
struct StuckOp {
    int op = 0;                ///< position in the given list
    std::vector<int> run;      ///< what stands in front of it, positions in the given list
    std::vector<int> hintIds;  ///< of the run
};

struct Reordered {
    std::vector<int> order;  ///< old positions in their new order
    std::vector<StuckOp> stuck;
};

/// A new order in which unhinted ops no longer stand inside the run of a key: each is moved in front of the run, or
/// behind the block that follows it (2.5). One that can do neither stays, and ends its run.
[[nodiscard]] Reordered reorderInterlopers(const std::vector<OrderedOp>& ops);

}  // namespace memplan::spyre

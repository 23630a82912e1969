// SPDX-License-Identifier: Apache-2.0
// Loops for runs of operations whose values find no room on chip: options are tried by compiling the graph with them,
// so that divisions, copies at the cuts and addresses are those of the real plan
// (spyre-cost-and-co-optimisation 16.1 - 16.5).
#pragma once

#include "pipeline/variants.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan {

/// Adjacent operations that share one nest of counted loops.
struct ChosenTiling {
    std::vector<std::string> ops;
    std::vector<std::pair<std::int64_t, int>> levels;  ///< (trip count, position in the output ranges), outermost first
    Bytes before = 0, after = 0;                       ///< main-memory bytes of the trial plans without and with it
};

struct TilingSearch {
    std::vector<ChosenTiling> chosen;
    int compiles = 0;        ///< trial plans
    bool exhausted = false;  ///< the bound on trial plans ended it
};

/// True when the settings ask for it and no hint tiles anything: those loops are the user's.
[[nodiscard]] bool searchesTilings(const CompileRequest& request);

/// From runs of adjacent pointwise operations and reductions with a value that is too large or found no room: each run
/// takes the loops that lower traffic most. Trials divide as the pipeline does and place by best-fit. The error is
/// that of a cancelled compile; a run that cannot be tiled stays as it is.
[[nodiscard]] Result<TilingSearch> searchTilings(const CompileRequest& request, const SingleCompile& compileOne);

/// The loops as the hint manual_groups.
[[nodiscard]] Hint hintOf(const std::vector<ChosenTiling>& tilings);

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// The loops that the step coarse_tile.joint_tiling chooses, taken from a compile that ends there, so that a whole plan
// with them can be weighed against one without (spyre-cost-and-co-optimisation 16.5).
#pragma once

#include "engine/graph/hint_value.h"
#include "engine/pipeline/request.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace memplan::spyre {

/// One compile without comparison, with the loops that a search has chosen; without any it forms its own.
using SingleCompile = std::function<CompileOutcome(const CompileRequest&, const std::vector<TilingGroup>& loops,
                                                   const RunControl&, PipelineObserver*)>;

struct TilingSearch {
    std::vector<TilingGroup> chosen;
    std::vector<Decision> decisions;             ///< what the search says of itself
    std::map<std::string, std::int64_t> counts;  ///< of its step, without the bytes of its trials
};

/// True when the settings ask for it and no hint tiles anything: those loops are the user's.
[[nodiscard]] bool searchesTilings(const CompileRequest& request);

/// Runs the pipeline up to the loops. The error is that of a cancelled compile; any other failure finds no loops.
[[nodiscard]] Result<TilingSearch> searchTilings(const CompileRequest& request, const RunControl& control,
                                                 const SingleCompile& compileOne);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The loops that the step coarse_tile.joint_tiling chooses, taken from a compile that ends there, so that a whole plan
// with them can be weighed against one without (spyre-cost-and-co-optimisation 16.5).
#pragma once

#include "engine/pipeline/request.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

/// One compile without comparison.
using SingleCompile = std::function<CompileOutcome(const CompileRequest&, const RunControl&, PipelineObserver*)>;

/// Adjacent operations that share one nest of counted loops.
struct ChosenTiling {
    std::vector<std::string> ops;
    std::vector<std::int64_t> counts;                 ///< trips, outermost first
    std::vector<std::vector<std::vector<int>>> dims;  ///< by op and level: positions in its output ranges
    friend bool operator==(const ChosenTiling&, const ChosenTiling&) = default;
};

struct TilingSearch {
    std::vector<ChosenTiling> chosen;
    std::vector<Decision> decisions;             ///< what the search says of itself
    std::map<std::string, std::int64_t> counts;  ///< of its step, without the bytes of its trials
};

/// True when the settings ask for it and no hint tiles anything: those loops are the user's.
[[nodiscard]] bool searchesTilings(const CompileRequest& request);

/// Runs the pipeline up to the loops. The error is that of a cancelled compile; any other failure finds no loops.
[[nodiscard]] Result<TilingSearch> searchTilings(const CompileRequest& request, const RunControl& control,
                                                 const SingleCompile& compileOne);

/// The loops as the hint manual_groups.
[[nodiscard]] Hint hintOf(const std::vector<ChosenTiling>& tilings);

}  // namespace memplan::spyre

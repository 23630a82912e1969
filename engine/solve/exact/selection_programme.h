// SPDX-License-Identifier: Apache-2.0
// The selection of one part as an integer programme for GLPK, whose cutting planes close what branching alone leaves
// open (performance-and-toolchain 5, "Exact solver" step 1). Builds without GLPK go on without it.
#pragma once

#include "base/run_control.h"
#include "solve/exact/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::solve {

struct SelectedSet {
    std::int64_t upperBound = 0;  ///< no placement of the part is worth more
    std::vector<int> set;         ///< ascending item numbers of the best set found; its columns have room for it
    std::int64_t value = -1;      ///< of that set, -1 = none was found
    std::int64_t nodes = 0;       ///< subproblems looked at
};

/// True when this build has GLPK.
[[nodiscard]] bool hasSelectionProgramme();

/// The best set of items that no column of the part is too small for, all of `known` (ascending item numbers of a set
/// with that property) being there to begin with. Stops after `maxNodes` subproblems, a bound in nodes so that results
/// are reproducible, or when `control` says so; the bound holds then too. nullopt: no GLPK, or it found no bound.
/// For parts without handoffs.
[[nodiscard]] std::optional<SelectedSet> selectByProgramme(const Part& part, const std::vector<int>& known,
                                                           std::int64_t maxNodes, const RunControl& control);

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// The selection of one part as an integer programme for GLPK, whose cutting planes close what branching alone leaves
// open (performance-and-toolchain 5, "Exact solver" step 1). Builds without GLPK go on without it.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/units.h"

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

/// What ends the search, in steps of its own and not in seconds, so that results are reproducible.
struct ProgrammeLimits {
    std::int64_t maxNodes = 2'000;   ///< subproblems
    std::int64_t maxSteps = 40'000;  ///< of the simplex method in all of them; they take 2 to 10 each as a rule
    /// Milliseconds, against a subproblem that never ends: far above what the others allow, a few seconds for 300
    /// items. What the clock ends counts for nothing.
    int guardMs = 600'000;
};

/// True when this build has GLPK.
[[nodiscard]] bool hasSelectionProgramme();

/// The best set of items that no column of the part is too small for, all of `known` (ascending item numbers of a set
/// with that property) being there to begin with. Stops at the limits, or when `control` says so; the bound holds then
/// too. nullopt: no GLPK, it found no bound, or the guard ended it. For parts without handoffs.
[[nodiscard]] std::optional<SelectedSet> selectByProgramme(const Part& part, const std::vector<int>& known,
                                                           const ProgrammeLimits& limits, const RunControl& control);

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// Parameters of the address solvers as the settings say them (settings.md 2).
#pragma once

#include "engine/base/run_control.h"
#include "engine/settings/settings.h"
#include "engine/solve/solver.h"

#include <string_view>

namespace memplan::solve {

/// The keys by which a machine's settings name the solver and what it is given.
struct SolverKeys {
    std::string_view solver, ordering, annealingSteps, annealingStart, exactCost;
};

[[nodiscard]] SolverParams paramsFrom(const Settings& settings, const SolverKeys& keys);

/// `control` with a deadline `seconds` from now on, or its own where that is earlier.
[[nodiscard]] RunControl withDeadlineIn(RunControl control, double seconds);

/// The same for engine.time_limit_seconds; unchanged without a limit.
[[nodiscard]] RunControl withTimeLimit(RunControl control, const Settings& settings);

/// The same for a whole compile: only a limit that was asked for bounds it, that of a preset bounds single solver runs
/// (settings.md 1, `preset`).
[[nodiscard]] RunControl withCompileLimit(RunControl control, const Settings& settings);

/// `control` without its deadline, for what is quick and must come to its end: heuristics that a plan starts from.
[[nodiscard]] RunControl withoutDeadline(RunControl control);

}  // namespace memplan::solve

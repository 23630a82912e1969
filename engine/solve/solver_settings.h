// SPDX-License-Identifier: Apache-2.0
// Parameters of the address solvers as the settings say them (settings.md 2).
#pragma once

#include "base/run_control.h"
#include "settings/settings.h"
#include "solve/solver.h"

namespace memplan::solve {

[[nodiscard]] SolverParams paramsFrom(const Settings& settings);

/// `control` with a deadline of engine.time_limit_seconds from now on; unchanged without a limit.
[[nodiscard]] RunControl withTimeLimit(RunControl control, const Settings& settings);

}  // namespace memplan::solve

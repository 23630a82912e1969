// SPDX-License-Identifier: Apache-2.0
// Parameters of the address solvers as the settings say them (settings.md 2).
#pragma once

#include "settings/settings.h"
#include "solve/solver.h"

namespace memplan::solve {

[[nodiscard]] SolverParams paramsFrom(const Settings& settings);

}  // namespace memplan::solve

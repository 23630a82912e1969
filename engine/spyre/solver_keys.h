// SPDX-License-Identifier: Apache-2.0
// The settings of this machine that speak of the address solvers (settings.md 2).
#pragma once

#include "engine/solve/solver_settings.h"

namespace memplan::spyre {

inline constexpr solve::SolverKeys kSolverKeys{"spyre.layout_solver", "spyre.solver_ordering", "spyre.annealing_steps",
                                               "spyre.annealing_start", "spyre.exact_cost"};

}  // namespace memplan::spyre

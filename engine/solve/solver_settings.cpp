// SPDX-License-Identifier: Apache-2.0
#include "solve/solver_settings.h"

namespace memplan::solve {

SolverParams paramsFrom(const Settings& settings) {
    SolverParams p;
    p.ordering = settings.text("spyre.solver_ordering") == "scored" ? Ordering::Scored : Ordering::Lifetime;
    p.seed = static_cast<std::uint64_t>(settings.integer("engine.seed"));
    p.annealingSteps = static_cast<int>(settings.integer("spyre.annealing_steps"));
    p.annealingStart = settings.text("spyre.annealing_start");
    p.exactCostIsTraffic = settings.text("spyre.exact_cost") == "traffic";
    return p;
}

}  // namespace memplan::solve

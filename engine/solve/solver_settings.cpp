// SPDX-License-Identifier: Apache-2.0
#include "solve/solver_settings.h"

#include <chrono>

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

RunControl withTimeLimit(RunControl control, const Settings& settings) {
    using Clock = std::chrono::steady_clock;
    const double seconds = settings.number("engine.time_limit_seconds");
    if (seconds <= 0) return control;
    control.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return control;
}

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/solver_settings.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace memplan::solve {
namespace {

constexpr std::string_view kTimeLimit = "engine.time_limit_seconds";

}  // namespace

SolverParams paramsFrom(const Settings& settings, const SolverKeys& keys) {
    SolverParams p;
    p.ordering = settings.text(keys.ordering) == "scored" ? Ordering::Scored : Ordering::Lifetime;
    p.seed = static_cast<std::uint64_t>(settings.integer("engine.seed"));
    p.annealingSteps = static_cast<int>(settings.integer(keys.annealingSteps));
    p.annealingStart = settings.text(keys.annealingStart);
    p.exactCostIsTraffic = settings.text(keys.exactCost) == "traffic";
    return p;
}

RunControl withDeadlineIn(RunControl control, double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    control.deadline = control.deadline ? std::min(*control.deadline, deadline) : deadline;
    return control;
}

RunControl withTimeLimit(RunControl control, const Settings& settings) {
    const double seconds = settings.number(kTimeLimit);
    return seconds > 0 ? withDeadlineIn(std::move(control), seconds) : control;
}

RunControl withCompileLimit(RunControl control, const Settings& settings) {
    return settings.isExplicit(kTimeLimit) ? withTimeLimit(std::move(control), settings) : control;
}

RunControl withoutDeadline(RunControl control) {
    control.deadline.reset();
    return control;
}

}  // namespace memplan::solve

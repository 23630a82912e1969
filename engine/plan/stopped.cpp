// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/stopped.h"

#include <algorithm>

namespace memplan {
namespace {

bool cameTo(const Plan& plan, std::string_view step) {
    return plan.stoppedAfter.empty() || std::any_of(plan.passes.begin(), plan.passes.end(),
                                                    [&](const PassRun& r) { return r.ran && r.name == step; });
}

/// A machine with figures of its own has them as soon as it has placed something.
bool hasOwnFigures(const Plan& plan) {
    return !plan.metrics.own.empty();
}

}  // namespace

bool isPlacementDecided(const Plan& plan) {
    return cameTo(plan, "scratchpad_planning.solve") || hasOwnFigures(plan);
}

bool areReasonsGiven(const Plan& plan) {
    return cameTo(plan, "scratchpad_planning.push") || hasOwnFigures(plan);
}

bool isUndecided(const Plan& plan, const PlanBuffer& buffer) {
    return !buffer.reason && !isOnChip(buffer.space) && !isPlacementDecided(plan);
}

}  // namespace memplan

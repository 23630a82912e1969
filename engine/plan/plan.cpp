// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include "plan/stopped.h"

#include <algorithm>

namespace memplan {

std::string_view targetName(Target t) {
    switch (t) {
    case Target::Spyre:
        return "spyre";
    case Target::Ttnn:
        return "ttnn";
    case Target::Torchwright:
        break;
    }
    return "torchwright";
}

std::string_view spaceName(MemorySpace s) {
    switch (s) {
    case MemorySpace::Lx:
        return "lx";
    case MemorySpace::L1:
        return "l1";
    case MemorySpace::Residual:
        return "residual";
    case MemorySpace::Hbm:
        return "hbm";
    case MemorySpace::Dram:
        break;
    }
    return "dram";
}

bool isPlacementDecided(const Plan& plan) {
    if (plan.stoppedAfter.empty()) return true;
    return std::any_of(plan.passes.begin(), plan.passes.end(),
                       [](const PassRun& r) { return r.ran && r.name == "scratchpad_planning.solve"; });
}

bool isUndecided(const Plan& plan, const PlanBuffer& buffer) {
    return !buffer.reason && !isOnChip(buffer.space) && !isPlacementDecided(plan);
}

}  // namespace memplan

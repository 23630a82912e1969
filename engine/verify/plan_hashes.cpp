// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/plan_hashes.h"

#include "engine/plan/input_hash.h"
#include "engine/plan/plan_hash.h"

namespace memplan::verify {

void checkPlanHash(const Plan& plan, Report& report) {
    if (!plan.planHash.empty() && plan.planHash != planHash(plan))
        report.add("VER-013", "x_plan_hash", "what was decided gives " + planHash(plan));
}

void checkInputHash(const Plan& plan, Report& report) {
    if (plan.inputHash.empty() || !plan.graph) return;
    HashedInput input{plan.target, plan.graph.get(), &plan.settings, &plan.hints, std::string(), plan.stoppedAfter};
    input.machine = machineKey(plan.machine);
    if (plan.inputHash != inputHash(input))
        report.add("VER-013", "x_input_hash", "graph, settings and hints give " + inputHash(input));
}

}  // namespace memplan::verify

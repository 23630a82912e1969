// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/plan_frame.h"

#include "engine/plan/plan_hash.h"

#include <utility>

namespace memplan {

void putRequest(const CompileRequest& request, Plan& plan) {
    plan.target = request.target;
    plan.input = request.input;
    plan.graph = request.graph;
    plan.settings = request.settings;
    plan.machine = request.machine;
    plan.stoppedAfter = request.stopAfter;
}

void putRun(RunFacts& facts, Plan& plan) {
    plan.passes = std::move(facts.passes);
    plan.decisions = std::move(facts.decisions);
    for (const PassRun& run : plan.passes)
        plan.problems.insert(plan.problems.end(), run.diagnostics.begin(), run.diagnostics.end());
}

void sealPlan(const CompileRequest& request, Plan& plan) {
    plan.inputHash = inputHash(request);
    plan.planHash = planHash(plan);
}

Diagnostic refusalOf(const Plan& plan, BufferId id, std::string_view begin) {
    const PlanBuffer& b = plan.buffer(id);
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = std::string(reasonInfo(b.reason->code).diagnostic);
    d.where = "buffer " + b.name;
    d.message = std::string(begin) + sentence(*b.reason);
    d.buffers = {id};
    return d;
}

}  // namespace memplan

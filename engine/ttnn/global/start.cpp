// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/start.h"

#include "engine/ttnn/transform/config_analysis.h"
#include "engine/ttnn/transform/override_reshards.h"
#include "engine/ttnn/transform/transform.h"

namespace memplan::ttnn {

Transformed transformedBy(const PolicyInput& input, const Solution& solution) {
    Solution whole = solution;
    applyOverrideReshards(input.overrides, whole);
    completeConfigs(input.function, input.space, whole);
    return transformGraph(input.function, whole, input.model.device(), input.options);
}

Candidate candidateOf(Evaluator& evaluator, const Solution& solution) {
    Candidate candidate{assignmentOf(evaluator, transformedBy(evaluator.input(), solution)), {}};
    candidate.evaluation = AssignmentCost(evaluator)(candidate.assignment);
    return candidate;
}

bool isNoWorse(const PolicyInput& input, const Solution& solution, const Rivals& rivals) {
    const Measures own = measure(transformedBy(input, solution), input.model);
    const Measures faster = measure(transformedBy(input, rivals.faster), input.model);
    const bool isLegal = violations(own).size() <= violations(faster).size();
    if (!isLegal || own.totalNs() > faster.totalNs() * (1 + 1e-9)) return false;
    if (own.shardedOps >= faster.shardedOps) return true;
    return own.shardedOps >= measure(transformedBy(input, rivals.reference), input.model).shardedOps;
}

}  // namespace memplan::ttnn

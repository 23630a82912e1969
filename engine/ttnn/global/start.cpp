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

bool isNoWorse(const PolicyInput& input, const Solution& a, const Solution& b) {
    const Measures x = measure(transformedBy(input, a), input.model);
    const Measures y = measure(transformedBy(input, b), input.model);
    const bool isLegal = violations(x).size() <= violations(y).size();
    return isLegal && x.totalNs() <= y.totalNs() * (1 + 1e-9) && x.shardedOps >= y.shardedOps;
}

}  // namespace memplan::ttnn

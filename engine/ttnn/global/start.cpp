// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/start.h"

#include "engine/ttnn/transform/config_analysis.h"
#include "engine/ttnn/transform/l1_fallback.h"
#include "engine/ttnn/transform/override_reshards.h"
#include "engine/ttnn/transform/transform.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

/// Of the function as it is written: with the fallback of 7.1 where that is on.
Measures written(const PolicyInput& input, const Solution& solution) {
    Transformed transformed = transformedBy(input, solution);
    if (input.options.l1InterleavedFallback) upgradeToL1Interleaved(transformed, input.space, input.model);
    return measure(transformed, input.model);
}

}  // namespace

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
    const Measures own = written(input, solution), faster = written(input, rivals.faster);
    const Measures reference = written(input, rivals.reference);
    const bool isLegal = violations(own).size() <= violations(faster).size();
    if (!isLegal || own.totalNs() > std::min(faster.totalNs(), reference.totalNs()) * (1 + 1e-9)) return false;
    return own.shardedOps >= std::min(faster.shardedOps, reference.shardedOps);
}

}  // namespace memplan::ttnn

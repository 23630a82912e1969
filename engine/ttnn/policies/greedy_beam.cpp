// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/policies/greedy_beam.h"

#include "engine/ttnn/beam/beam_search.h"
#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/global/local_search.h"
#include "engine/ttnn/global/start.h"
#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/transform/legality.h"

#include <utility>

namespace memplan::ttnn {
namespace {

/// Enough for one sweep: more moves than there are of an operation.
constexpr std::int64_t kMovesOfAnOperation = 64;

/// Operations that the beam left interleaved since that saves conversions are sharded until there are as many as
/// DFSharding has: one sweep.
void raiseSharded(Evaluator& evaluator, Assignment& assignment, const Candidate& reference) {
    Candidate candidate{std::move(assignment), {}};
    candidate.evaluation = AssignmentCost(evaluator)(candidate.assignment);
    const std::int64_t floor = reference.evaluation.sharded;
    const auto trials = kMovesOfAnOperation * static_cast<std::int64_t>(evaluator.flow().size());
    if (candidate.evaluation.sharded < floor)
        improve(evaluator, candidate, {.rounds = 1, .floor = floor, .trials = trials});
    assignment = std::move(candidate.assignment);
}

}  // namespace

Solution greedyBeam(const PolicyInput& input) {
    Evaluator evaluator(input);
    Solution reference = dfSharding(input);
    makeLegal(input, reference);
    Assignment assignment = beamSearch(evaluator, {});
    evictUntilFits(evaluator, assignment);
    raiseSharded(evaluator, assignment, candidateOf(evaluator, reference));
    Solution solution = solutionOf(evaluator, assignment);
    makeLegal(input, solution);
    return isNoWorse(input, solution, {reference, reference}) ? solution : reference;
}

}  // namespace memplan::ttnn

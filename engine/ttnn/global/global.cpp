// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/global.h"

#include "engine/ttnn/beam/greedy_beam.h"
#include "engine/ttnn/global/lower_bound.h"
#include "engine/ttnn/global/residents.h"
#include "engine/ttnn/global/start.h"
#include "engine/ttnn/policies/interleaved.h"
#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/transform/legality.h"

#include <cstdint>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr int kAlternations = 3;  ///< of local search and exact residents
/// Operations that are evaluated at most by one search: moves times operations.
constexpr std::int64_t kEvaluations = 3'000'000;

Solution legalSolution(const PolicyInput& input, Solution (*policy)(const PolicyInput&)) {
    Solution solution = policy(input);
    (void)makeLegal(input, solution);
    return solution;
}

class GlobalSearch {
public:
    explicit GlobalSearch(const PolicyInput& input) : input_(input), evaluator_(input) {}

    Solution run() {
        Solution start = legalSolution(input_, dfSharding);
        best_ = candidateOf(evaluator_, start);
        floor_ = best_.evaluation.sharded;
        for (const auto policy : {greedyBeam, greedyL1Interleaved, bfInterleaved})
            consider(legalSolution(input_, policy), start);
        search();
        Solution solution = solutionOf(evaluator_, best_.assignment);
        (void)makeLegal(input_, solution);
        if (!isNoWorse(input_, solution, start)) solution = std::move(start);
        solution.lowerBoundNs = lowerBoundNs(evaluator_);
        return solution;
    }

private:
    /// `start` becomes the better one of both.
    void consider(Solution other, Solution& start) {
        Candidate candidate = candidateOf(evaluator_, other);
        if (!isBetter(candidate.evaluation, best_.evaluation, floor_)) return;
        best_ = std::move(candidate);
        start = std::move(other);
    }
    void search() {
        SearchLimits limits;
        limits.floor = floor_;
        limits.trials = kEvaluations / static_cast<std::int64_t>(input_.function.operations.size() + 1);
        for (int i = 0; i < kAlternations && !input_.control.shouldStop(); ++i) {
            improve(evaluator_, best_, limits);
            if (!keepBestResidents(evaluator_, best_, floor_)) return;
        }
    }

    const PolicyInput& input_;
    Evaluator evaluator_;
    Candidate best_;
    std::int64_t floor_ = 0;
};

}  // namespace

Solution globalPolicy(const PolicyInput& input) {
    return GlobalSearch(input).run();
}

}  // namespace memplan::ttnn

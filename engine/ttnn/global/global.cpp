// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/global.h"

#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/beam/greedy_beam.h"
#include "engine/ttnn/global/annealing.h"
#include "engine/ttnn/global/local_search.h"
#include "engine/ttnn/global/lower_bound.h"
#include "engine/ttnn/global/partial_chains.h"
#include "engine/ttnn/global/residents.h"
#include "engine/ttnn/global/start.h"
#include "engine/ttnn/global/tuple_search.h"
#include "engine/ttnn/policies/interleaved.h"
#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/transform/legality.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr int kAlternations = 3;                   ///< of local search and exact residents
constexpr std::int64_t kTrials = 40'000;           ///< moves of one local search at most
constexpr std::int64_t kAnnealedMoves = 40'000;    ///< at most
constexpr std::int64_t kMovesOfAnOperation = 100;  ///< of annealing

class GlobalSearch {
public:
    explicit GlobalSearch(const PolicyInput& input) : input_(input), evaluator_(input) {}

    Solution run() {
        const Solution reference = legal(dfSharding(input_));
        start_ = reference;
        best_ = candidateOf(evaluator_, reference);
        floor_ = best_.evaluation.sharded;
        for (const auto policy : {greedyBeam, greedyL1Interleaved, bfInterleaved})
            if (!input_.control.shouldStop()) consider(legal(policy(input_)));
        if (auto pieces = partialChains(input_)) consider(legal(std::move(*pieces)));
        Assignment tuples = tupleSearch(evaluator_);
        evictUntilFits(evaluator_, tuples);
        consider(legal(solutionOf(evaluator_, tuples)));
        search();
        Solution solution = legal(solutionOf(evaluator_, best_.assignment));
        // What the numbers promise has to hold in the transformed function.
        if (!isNoWorse(input_, solution, {start_, reference})) solution = std::move(start_);
        const Candidate found = candidateOf(evaluator_, solution);
        solution.lowerBoundNs = lowerBoundNs(evaluator_, found.assignment);
        return solution;
    }

private:
    [[nodiscard]] Solution legal(Solution solution) const {
        (void)makeLegal(input_, solution);
        return solution;
    }
    void consider(Solution other) {
        Candidate candidate = candidateOf(evaluator_, other);
        if (!isBetter(candidate.evaluation, best_.evaluation, floor_)) return;
        best_ = std::move(candidate);
        start_ = std::move(other);
    }
    void search() {
        const SearchLimits limits{.floor = floor_, .trials = kTrials};
        alternate(limits);
        improveOrder(evaluator_, best_, limits);
        const auto ops = static_cast<std::int64_t>(input_.function.operations.size());
        anneal(evaluator_, best_, {floor_, std::min(kAnnealedMoves, kMovesOfAnOperation * ops), input_.seed});
        alternate(limits);
    }
    void alternate(const SearchLimits& limits) {
        for (int i = 0; i < kAlternations && !input_.control.shouldStop(); ++i) {
            improve(evaluator_, best_, limits);
            if (!keepBestResidents(evaluator_, best_, floor_)) return;
        }
    }

    const PolicyInput& input_;
    Evaluator evaluator_;
    Solution start_;  ///< the best of the other policies
    Candidate best_;
    std::int64_t floor_ = 0;
};

}  // namespace

Solution globalPolicy(const PolicyInput& input) {
    return GlobalSearch(input).run();
}

}  // namespace memplan::ttnn

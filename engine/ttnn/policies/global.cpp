// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/policies/global.h"

#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/global/annealing.h"
#include "engine/ttnn/global/local_search.h"
#include "engine/ttnn/global/lower_bound.h"
#include "engine/ttnn/global/partial_chains.h"
#include "engine/ttnn/global/residents.h"
#include "engine/ttnn/global/start.h"
#include "engine/ttnn/global/tuple_search.h"
#include "engine/ttnn/policies/greedy_beam.h"
#include "engine/ttnn/policies/interleaved.h"
#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/transform/legality.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kStarts = 3;  ///< that are improved; the best goes on
constexpr int kAlternations = 3;    ///< of local search and exact residents
constexpr std::int64_t kMovesOfAnOperation = 30, kFewestMoves = 20'000, kMostMoves = 200'000;  ///< of one search

class GlobalSearch {
public:
    explicit GlobalSearch(const PolicyInput& input) : input_(input), evaluator_(input) {}

    Solution run() {
        const Solution reference = legal(dfSharding(input_));
        start_ = reference;
        starts_.push_back(candidateOf(evaluator_, reference));
        best_ = starts_.front();
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
        if (!isNoWorse(input_, solution, {start_, reference})) solution = slowerStart(reference);
        const Candidate found = candidateOf(evaluator_, solution);
        solution.lowerBoundNs = lowerBoundNs(evaluator_, found.assignment);
        return solution;
    }

private:
    [[nodiscard]] Solution legal(Solution solution) const {
        makeLegal(input_, solution);
        return solution;
    }
    /// The best of the other policies, where the function that is written says so too.
    [[nodiscard]] Solution slowerStart(const Solution& reference) const {
        return isNoWorse(input_, start_, {reference, reference}) ? start_ : reference;
    }
    void consider(Solution other) {
        Candidate candidate = candidateOf(evaluator_, other);
        if (isBetter(candidate.evaluation, best_.evaluation, floor_)) {
            best_ = candidate;
            start_ = std::move(other);
        }
        const auto isAlike = [&](const Candidate& c) { return c.evaluation.ns == candidate.evaluation.ns; };
        if (std::ranges::none_of(starts_, isAlike)) starts_.push_back(std::move(candidate));
    }
    void search() {
        const auto ops = static_cast<std::int64_t>(input_.function.operations.size());
        const std::int64_t moves = std::clamp(kMovesOfAnOperation * ops, kFewestMoves, kMostMoves);
        const SearchLimits limits{.floor = floor_, .trials = moves};
        std::stable_sort(starts_.begin(), starts_.end(), [this](const Candidate& a, const Candidate& b) {
            return isBetter(a.evaluation, b.evaluation, floor_);
        });
        for (std::size_t i = 0; i < std::min(kStarts, starts_.size()); ++i) {
            alternate(starts_[i], limits);
            if (isBetter(starts_[i].evaluation, best_.evaluation, floor_)) best_ = starts_[i];
        }
        improveOrder(evaluator_, best_, limits);
        anneal(evaluator_, best_, {floor_, moves, input_.seed});
        alternate(best_, limits);
    }
    void alternate(Candidate& candidate, const SearchLimits& limits) {
        for (int i = 0; i < kAlternations && !input_.control.shouldStop(); ++i) {
            improve(evaluator_, candidate, limits);
            if (!keepBestResidents(evaluator_, candidate, floor_)) return;
        }
    }

    const PolicyInput& input_;
    Evaluator evaluator_;
    Solution start_;  ///< the best of the other policies
    std::vector<Candidate> starts_;
    Candidate best_;
    std::int64_t floor_ = 0;
};

}  // namespace

Solution globalPolicy(const PolicyInput& input) {
    return GlobalSearch(input).run();
}

}  // namespace memplan::ttnn

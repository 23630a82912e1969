// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/partial_chains.h"

#include "engine/ttnn/sharding/df_sharding.h"
#include "engine/ttnn/solver/chain_solution.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kLongestPiece = 64, kShortestLimit = 4;
constexpr double kEdges = 20000;  ///< that are checked for one chain, about

/// Of the pieces of a chain: with n begins and pieces of up to m operations there are about n * m * m / 2 edges.
std::size_t longestPiece(std::size_t ops) {
    const double most = std::sqrt(2 * kEdges / static_cast<double>(ops));
    return std::clamp(static_cast<std::size_t>(most), kShortestLimit, kLongestPiece);
}

/// The best cuts of one chain: pieces from the left, each the best way to end at its last operation.
class Cutter {
public:
    Cutter(const PolicyInput& input, const Flow& flow, std::span<const OperationId> ops)
        : input_(input), context_{flow, input.space, input.layouts, input.model, input.options}, ops_(ops),
          best_(ops.size() + 1, -1), begin_(ops.size() + 1, 0) {}

    /// First operations of all pieces but the first.
    std::vector<OperationId> cuts() {
        best_[0] = 0;
        for (std::size_t begin = 0; begin < ops_.size(); ++begin)
            addPiecesFrom(begin);
        std::vector<OperationId> cuts;
        for (std::size_t end = ops_.size(); begin_[end] > 0; end = begin_[end])
            cuts.push_back(ops_[begin_[end]]);
        return cuts;
    }

private:
    void offer(std::size_t begin, std::size_t end, std::int64_t value) {
        if (best_[begin] + value <= best_[end]) return;
        best_[end] = best_[begin] + value;
        begin_[end] = begin;
    }
    /// Pieces are solved from left to right: what fails does not get better with more operations behind it.
    void addPiecesFrom(std::size_t begin) {
        offer(begin, begin + 1, 0);  // left in DRAM
        const std::size_t last = std::min(ops_.size(), begin + longestPiece(ops_.size()));
        for (std::size_t end = begin + 1; end <= last && !input_.control.shouldStop(); ++end) {
            const ChainSolution solved =
                solveChain(context_, {ops_.subspan(begin, end - begin), input_.overrides, std::nullopt, -1});
            if (!solved.result.isSolved) return;
            // A result that goes to DRAM and back keeps its cores busy once more.
            const std::int64_t spill = end < ops_.size() ? solved.configs.back().output->grid.volume() : 0;
            offer(begin, end, std::max<std::int64_t>(1, solved.result.cores - spill));
        }
    }

    const PolicyInput& input_;
    SolverContext context_;
    std::span<const OperationId> ops_;
    std::vector<std::int64_t> best_;  ///< by number of operations: cores in use of the best pieces of them; -1: none
    std::vector<std::size_t> begin_;  ///< by number of operations: where the last of these pieces begins
};

}  // namespace

std::optional<Solution> partialChains(const PolicyInput& input) {
    DfSharding first(input);
    first.buildChains();
    if (input.options.concatChains) first.concatPreferences();
    first.resolveChains();
    const Flow flow(input.function);
    Options options = input.options;
    const ChainRecord record = first.record();
    for (const ChainInfo& chain : record.chains) {
        if (chain.state != ChainState::Failed || chain.isConcat || chain.ops.size() < 2) continue;
        for (const OperationId op : Cutter(input, flow, chain.ops).cuts())
            options.chainHints.breakBefore.push_back(flow.operation(op).location.name);
    }
    if (options.chainHints.breakBefore.size() == input.options.chainHints.breakBefore.size()) return std::nullopt;
    const PolicyInput broken{input.function, input.space,     input.layouts, input.model,
                             options,        input.overrides, input.control, input.seed};
    Solution solution = dfSharding(broken);
    solution.hintOutcomes.clear();
    return solution;
}

}  // namespace memplan::ttnn

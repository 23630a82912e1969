// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/steps.h"
#include "engine/ttnn/solver/chain_solution.h"

#include <cassert>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Edges of the record are counted over all chains.
void recordOps(ShardingState& state, const Chain& chain, ChainSolution& solution, std::int32_t firstEdge) {
    for (std::size_t i = 0; i < chain.ops().size(); ++i) {
        OpRecord& record = state.record.ops[chain.ops()[i].at()];
        SolvedOp& solved = solution.result.ops[i];
        for (const OpConfig& config : state.input.space.ops[chain.ops()[i].at()].sharded) {
            record.sharded.push_back(*config.output);
            record.kernels.push_back(config.attrs);
        }
        for (std::int32_t& edge : solved.clearedEdge)
            if (edge >= 0) edge += firstEdge;
        record.clearedEdge = std::move(solved.clearedEdge);
        record.clearedRound = std::move(solved.clearedRound);
        record.acc = std::move(solved.acc);
        record.selected = solution.result.isSolved ? solved.selected : -1;
        for (std::size_t e = 0; e < solution.result.edges.size(); ++e)
            if (solution.result.edges[e].info.consumer == chain.ops()[i])
                record.refusals.insert(record.refusals.end(), solution.refusals[e].begin(), solution.refusals[e].end());
    }
}

void recordSolution(ShardingState& state, const Chain& chain, ChainSolution& solution) {
    recordOps(state, chain, solution, static_cast<std::int32_t>(state.record.edges.size()));
    for (SolvedEdge& edge : solution.result.edges)
        state.record.edges.push_back(std::move(edge.info));
    auto& trace = solution.result.trace;
    state.record.trace.insert(state.record.trace.end(), std::make_move_iterator(trace.begin()),
                              std::make_move_iterator(trace.end()));
}

void resolveChain(ShardingState& state, int at) {
    const SolverContext context{state.flow, state.input.space, state.input.layouts, state.input.model,
                                state.input.options};
    Chain& chain = state.chain(at);
    ChainSolution solution = solveChain(context, {chain.ops(), state.input.overrides, chain.info().preferred, at});
    chain.setCounters(solution.counters);
    const std::optional<ChainFailure> failure = solution.failure();
    recordSolution(state, chain, solution);
    [[maybe_unused]] const auto resolved = chain.resolve(!failure.has_value());
    assert(resolved.ok());
    if (failure) {
        [[maybe_unused]] const auto failed = chain.fail(*failure);
        assert(failed.ok());
        return;
    }
    [[maybe_unused]] const auto completed = chain.complete(std::move(solution.configs));
    assert(completed.ok());
    state.reshards[static_cast<std::size_t>(at)] = std::move(solution.reshards);
    if (!chain.output()->isInDram()) chain.setSpill(SpillLocation::Dram);
}

}  // namespace

void resolveRegularChains(ShardingState& state) {
    for (std::size_t i = 0; i < state.chains.size() && !state.input.control.cancelled(); ++i) {
        state.input.control.progress("chains", static_cast<double>(i), static_cast<double>(state.chains.size()));
        if (!state.chains[i].info().isConcat) resolveChain(state, static_cast<int>(i));
    }
}

}  // namespace memplan::ttnn

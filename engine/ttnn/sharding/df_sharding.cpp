// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/df_sharding.h"

#include "engine/ttnn/sharding/steps.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace memplan::ttnn {
namespace {

ChainRecord completed(ChainRecord record, const ShardingState& state) {
    for (const Chain& chain : state.chains)
        record.chains.push_back(chain.info());
    record.reservations = state.residency.reservations();
    return record;
}

void takeChain(const ShardingState& state, std::size_t at, Solution& solution) {
    const Chain& chain = state.chains[at];
    if (!chain.isCompleted()) return;
    for (const OperationId op : chain.ops())
        solution.configs[op.at()] = *chain.configOf(op);
    solution.reshards.insert(solution.reshards.end(), state.reshards[at].begin(), state.reshards[at].end());
    if (chain.info().spill == SpillLocation::Dram) solution.spillToDram.push_back(chain.last());
    if (chain.info().spill == SpillLocation::L1Interleaved) solution.spillToL1.push_back(chain.last());
}

/// Whether a chain ends where a hint breaks it: what the user is shown of it.
void addBreakOutcomes(ShardingState& state, const std::vector<std::string>& locations) {
    for (const std::string& location : locations) {
        const bool acts = std::ranges::any_of(state.chains, [&](const Chain& chain) {
            const OperationId next = chain.info().endedAt;
            const auto isNamed = [&](OperationId op) {
                return op.isValid() && state.flow.operation(op).location.name == location;
            };
            return chain.info().endedBy == EndedBy::Hint && (isNamed(chain.last()) || isNamed(next));
        });
        state.hintOutcomes.push_back({"break_chain", location, acts, acts ? "" : "no chain runs through there"});
    }
}

}  // namespace

struct DfSharding::Data {
    explicit Data(const PolicyInput& input) : state(input) {}

    void applyWishes() {
        if (!std::exchange(areWishesApplied, true)) applySpillWishes(state);
    }

    ShardingState state;
    bool areWishesApplied = false;
};

DfSharding::DfSharding(const PolicyInput& input) : data_(std::make_unique<Data>(input)) {}
DfSharding::~DfSharding() = default;

void DfSharding::buildChains() {
    ShardingState& state = data_->state;
    state.buildChains();
    addBreakOutcomes(state, state.input.options.chainHints.breakBefore);
    addBreakOutcomes(state, state.input.options.chainHints.breakAfter);
}

void DfSharding::concatPreferences() {
    setConcatPreferences(data_->state);
}

void DfSharding::resolveChains() {
    resolveRegularChains(data_->state);
}

void DfSharding::resolveConcats() {
    resolveConcatChains(data_->state);
}

void DfSharding::reshapeReservations() {
    data_->applyWishes();
    reserveReshapes(data_->state);
}

void DfSharding::forkReservations() {
    data_->applyWishes();
    reserveForks(data_->state);
}

void DfSharding::mergeChains() {
    data_->applyWishes();
    mergeChainOutputs(data_->state);
}

ChainRecord DfSharding::record() const {
    return completed(data_->state.record, data_->state);
}

Solution DfSharding::take() {
    data_->applyWishes();
    ShardingState& state = data_->state;
    Solution solution;
    solution.configs.resize(state.flow.size());
    for (std::size_t i = 0; i < state.chains.size(); ++i)
        takeChain(state, i, solution);
    const auto position = [&](OperationId op) { return state.positionOf(op); };
    std::ranges::sort(solution.spillToDram, {}, position);
    std::ranges::sort(solution.spillToL1, {}, position);
    std::ranges::sort(solution.reshards, {},
                      [&](const Reshard& r) { return std::pair(position(r.consumer), r.operand); });
    solution.record = completed(std::move(state.record), state);
    solution.schedule = std::move(state.schedule);
    solution.hintOutcomes = std::move(state.hintOutcomes);
    return solution;
}

Solution dfSharding(const PolicyInput& input) {
    DfSharding policy(input);
    policy.buildChains();
    if (input.options.concatChains) policy.concatPreferences();
    policy.resolveChains();
    if (input.options.concatChains) policy.resolveConcats();
    if (input.options.reshapeReservations) policy.reshapeReservations();
    if (input.options.forkReservations) policy.forkReservations();
    if (input.options.chainMerging) policy.mergeChains();
    return policy.take();
}

}  // namespace memplan::ttnn

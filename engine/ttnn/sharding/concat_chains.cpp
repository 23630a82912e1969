// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/sharding/steps.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace memplan::ttnn {
namespace {

/// A concatenation whose inputs are tried in L1.
class ConcatTry {
public:
    ConcatTry(ShardingState& state, int target) : state_(state), target_(target), op_(state.chain(target).first()) {
        merge_.kind = MergeKind::Concat;
        merge_.target = target;
        merge_.joinOp = op_;
    }

    void run() {
        if (findSources() && readThemAlone() && haveRequiredLayout() && runsAlone() && fitTogether()) return accept();
        fail();
    }

private:
    bool refuse(const char* step, const char* stage, Refusal refusal) {
        reject(merge_, step, refusal);
        stage_ = stage;
        refusal_ = std::move(refusal);
        return false;
    }

    /// Every operand is the output of a completed chain; a chain that is read twice counts once.
    bool findSources() {
        const auto isUnknown = [&](int chain) {
            return std::ranges::find(merge_.sources, chain) == merge_.sources.end();
        };
        for (const TensorOperand& operand : state_.flow.operands(op_)) {
            const int source = state_.completedChainEndingIn(operand.producer);
            if (source < 0 || source == target_)
                return refuse(
                    "chain", "concat_operand",
                    {operand.producer.isValid() ? operand.producer : op_,
                     "operand " + std::to_string(operand.position) + " is not the output of a completed chain", 0, 0});
            inputs_.push_back(*state_.chain(source).output());
            if (isUnknown(source)) merge_.sources.push_back(source);
        }
        if (merge_.sources.empty()) return refuse("chain", "concat_operand", {op_, "it has no tensor operand", 0, 0});
        for (const int source : merge_.sources)
            merge_.bytes += state_.chain(source).output()->shardBytes();
        std::ranges::sort(merge_.sources, {}, [&](int i) { return state_.positionOf(state_.chain(i).last()); });
        return true;
    }

    bool readThemAlone() {
        const bool isForbidden = state_.hasHint(state_.input.options.chainHints.forbidMerge, op_);
        if (isForbidden) return refuse("hint", "concat_reader", {op_, "a hint forbids merges into it", 0, 0});
        for (const int source : merge_.sources) {
            const OperationId last = state_.chain(source).last();
            if (state_.spillWish(last) == SpillWish::Dram)
                return refuse("hint", "concat_reader", {last, "a hint sends its result to DRAM", 0, 0});
            const std::vector<Use>& uses = state_.flow.uses(last);
            if (uses.size() != state_.flow.useCount(last) ||
                !std::ranges::all_of(uses, [&](const Use& use) { return use.user == op_; }))
                return refuse("fork", "concat_reader", {last, "its result has another reader", 0, 0});
        }
        return true;
    }

    bool haveRequiredLayout() {
        const std::optional<MemLayout> required = concatInputLayout(state_.flow.function(), state_.flow.operation(op_));
        if (!required) return refuse("join", "concat_layout", {op_, "no sharded layout suits this dimension", 0, 0});
        for (const int source : merge_.sources) {
            const Layout& output = *state_.chain(source).output();
            if (output.mem == required) continue;
            return refuse("join", "concat_layout",
                          {state_.chain(source).last(),
                           "its output is " + std::string(wordOf(output.mem.value_or(MemLayout::Interleaved))) + ", " +
                               std::string(wordOf(*required)) + " is needed",
                           0, 0});
        }
        if (state_.input.space.ops[op_.at()].configs.empty())
            return refuse("join", "concat_layout", {op_, "it has no legal configuration", 0, 0});
        return true;
    }

    bool runsAlone() {
        const Layout& like = inputs_.front();
        const auto& shape = state_.flow.function().typeOf(state_.flow.function().resultOf(op_)).shape;
        config_.output =
            makeLayout(shape, {like.dtype, like.page, like.buffer, like.mem, like.grid}, state_.input.model.device());
        Validation answer = state_.validateAlone(op_, inputs_, config_);
        if (!answer.ok()) {
            Refusal refusal{op_, answer.message, 0, 0};
            if (answer.status == ValidationStatus::OutOfMemoryError)
                refusal = {op_, answer.message, answer.need, answer.limit};
            return refuse("join", "concat_check", std::move(refusal));
        }
        if (!answer.constraints.outputs.empty()) config_.output = answer.constraints.outputs.front();
        return true;
    }

    /// Everything that runs while outputs wait for the concatenation: the later input chains, and what lies between.
    bool fitTogether() {
        std::vector<Resident> held;
        for (std::size_t k = 0; k < merge_.sources.size(); ++k) {
            const Chain& source = state_.chain(merge_.sources[k]);
            held.push_back({source.last(), *source.output()});
            const bool isLast = k + 1 == merge_.sources.size();
            const OperationId next = isLast ? op_ : state_.chain(merge_.sources[k + 1]).last();
            const Step end = state_.positionOf(next) + (isLast ? 0 : 1);
            if (const Outcome refused = state_.validateRange({state_.positionOf(source.last()) + 1, end}, held)) {
                const bool isOfSource = std::ranges::count(merge_.sources, state_.chainOf(refused->at)) > 0;
                return refuse(isOfSource ? "chain" : "range", "concat_room", *refused);
            }
        }
        const Outcome refused = state_.validate({op_, inputs_, config_, held});
        return !refused || refuse("join", "concat_room", *refused);
    }

    void accept() {
        Chain& chain = state_.chain(target_);
        [[maybe_unused]] const auto resolved = chain.resolve();
        assert(resolved.ok());
        [[maybe_unused]] const auto completed = chain.complete({config_});
        assert(completed.ok());
        if (!chain.output()->isInDram()) chain.setSpill(SpillLocation::Dram);
        merge_.isAccepted = true;
        finishMerge(state_, std::move(merge_));
    }

    void fail() {
        ChainFailure failure{{}, op_, 0, stage_, {{refusal_.message, 1}}};
        if (refusal_.at != op_) failure.producer = refusal_.at;
        [[maybe_unused]] const auto failed = state_.chain(target_).fail(std::move(failure));
        assert(failed.ok());
        state_.trace(TraceKind::ChainFailed, target_, op_).text = stage_;
        finishMerge(state_, std::move(merge_));
    }

    ShardingState& state_;
    int target_;
    OperationId op_;
    MergeInfo merge_;
    std::vector<Layout> inputs_;
    OpConfig config_;
    std::string stage_;
    Refusal refusal_;
};

/// Steps 1 and 2 of the resolution as far as the graph decides them. Chains are not bent to the layout of a
/// concatenation that takes nothing from L1 whatever they do.
bool mayResolve(const ShardingState& state, OperationId op) {
    return std::ranges::all_of(state.flow.operands(op), [&](const TensorOperand& operand) {
        const int chain = operand.producer.isValid() ? state.chainOf(operand.producer) : -1;
        if (chain < 0 || state.chain(chain).last() != operand.producer) return false;
        const auto readers = state.flow.readers(operand.producer);
        return !state.flow.isReturned(operand.producer) &&
               std::ranges::all_of(readers, [&](OperationId reader) { return reader == op; });
    });
}

}  // namespace

void setConcatPreferences(ShardingState& state) {
    for (std::size_t i = 0; i < state.chains.size(); ++i) {
        if (!state.chains[i].info().isConcat) continue;
        const OperationId op = state.chains[i].first();
        const std::optional<MemLayout> layout = concatInputLayout(state.flow.function(), state.flow.operation(op));
        if (!layout || !mayResolve(state, op)) continue;
        for (const TensorOperand& operand : state.flow.operands(op))
            state.chain(state.chainOf(operand.producer)).setPreferred(*layout);
        if (state.flow.useCount(op) != 1) continue;
        const OperationId user = state.flow.isReturned(op) ? OperationId{} : state.flow.readers(op).front();
        if (!user.isValid() || state.chainOf(user) < 0) continue;
        Chain& next = state.chain(state.chainOf(user));
        if (next.first() == user) next.setPreferred(*layout);
    }
}

void resolveConcatChains(ShardingState& state) {
    for (std::size_t i = 0; i < state.chains.size() && !state.input.control.cancelled(); ++i)
        if (state.chains[i].info().isConcat) ConcatTry(state, static_cast<int>(i)).run();
}

}  // namespace memplan::ttnn

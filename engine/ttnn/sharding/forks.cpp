// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/sharding/residents.h"
#include "engine/ttnn/sharding/steps.h"
#include "engine/ttnn/solver/test_configs.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Attempts to keep the output of a completed chain in L1 for all its readers.
class Keeper {
public:
    Keeper(ShardingState& state, int chain, std::string purpose)
        : state_(state), chain_(chain), source_(state.chain(chain).last()), purpose_(std::move(purpose)) {}

    /// As it is (None), or as a copy in interleaved L1. An attempt that fails leaves all as it was.
    bool keep(SpillLocation option) {
        ResidencyTry trial(state_, source_, purpose_, option);
        ShardingState::Modified modified;
        if (!findLayout(trial, option) || !trial.hasReadersHere()) return false;
        for (const OperationId reader : state_.flow.readers(source_))
            if (Outcome refused = readerRefusal(reader, trial.layout(), modified))
                return trial.reject("reader", *refused);
        const Step last = state_.lastReader(source_);
        if (!trial.fits({state_.positionOf(source_), last + 1}, modified)) return false;
        trial.accept(last);
        apply(option, modified);
        return true;
    }

private:
    bool findLayout(ResidencyTry& trial, SpillLocation option) {
        if (option == SpillLocation::None) {
            trial.setLayout(*state_.chain(chain_).output());
            return true;
        }
        const std::optional<Layout> layout = state_.interleavedResult(source_);
        if (!layout) return trial.reject("size", {source_, "its result cannot be interleaved in L1", 0, 0});
        trial.setLayout(*layout);
        return true;
    }

    /// The reader alone, with the layouts of the module for its other operands, must give the layout it has been given.
    Outcome readerRefusal(OperationId reader, const Layout& layout, ShardingState::Modified& modified) {
        const Operation& operation = state_.flow.operation(reader);
        if (operation.is("deallocate")) return std::nullopt;  // it only says that the value is needed no longer
        if (layout.isSharded() && isReduction(operation))
            return Refusal{reader, "a reduction does not read a sharded value", 0, 0};
        const OpConfig* chosen = state_.configOf(reader);
        if (chosen == nullptr) return Refusal{reader, "its result has no layout", 0, 0};
        std::vector<Layout> inputs;
        for (const TensorOperand& operand : state_.flow.operands(reader)) {
            const std::optional<Layout>& given = state_.flow.function().typeOf(operand.value).layout;
            if (operand.producer != source_ && !given) return Refusal{reader, "an operand has no layout", 0, 0};
            inputs.push_back(operand.producer == source_ ? layout : *given);
        }
        OpConfig config = *chosen;
        if (keepsInput(operation, config)) modified[reader] = config;
        const Layout wanted = *config.output;
        if (isAskedWithoutGrid(operation)) config.output = withoutGrid(wanted);
        const Validation answer = state_.validateAlone(reader, inputs, config);
        if (!answer.ok()) return Refusal{reader, answer.message, 0, 0};
        if (answer.constraints.outputs.empty() || answer.constraints.outputs.front() != wanted)
            return Refusal{reader, "it would give another layout than it has", 0, 0};
        return std::nullopt;
    }

    /// A convolution may not free a value that others read.
    static bool keepsInput(const Operation& operation, OpConfig& config) {
        auto* attrs = std::get_if<Conv2dAttrs>(&config.attrs);
        if (!isConvolution(operation) || attrs == nullptr || !attrs->config) return false;
        if (attrs->config->deallocateActivation != true) return false;
        attrs->config->deallocateActivation = false;
        return true;
    }

    void apply(SpillLocation option, const ShardingState::Modified& modified) {
        state_.chain(chain_).setSpill(option);
        for (const auto& [reader, config] : modified) {
            [[maybe_unused]] const auto updated = state_.chain(state_.chainOf(reader)).updateConfig(reader, config);
            assert(updated.ok());
        }
    }

    ShardingState& state_;
    int chain_;
    OperationId source_;
    std::string purpose_;
};

std::string impossibleReason(const ShardingState& state, std::size_t firstTrial) {
    std::string reason;
    for (std::size_t i = firstTrial; i < state.record.trials.size(); ++i)
        if (!state.record.trials[i].isAccepted) reason = state.record.trials[i].message;
    return reason.empty() ? "it does not fit" : reason;
}

/// Gives why the wish is impossible; empty if it is met.
std::string applyWish(ShardingState& state, OperationId op, SpillWish wish) {
    const int chain = state.completedChainEndingIn(op);
    if (chain < 0) return "it is not the last operation of a completed chain";
    const bool isDecided = state.residency.layoutOf(op) != nullptr;
    if (wish == SpillWish::Dram) return isDecided ? "its result stays in L1 for a concatenation" : "";
    if (isDecided) return wish == SpillWish::None ? "" : "its result stays in L1 for a concatenation";
    const std::size_t firstTrial = state.record.trials.size();
    const SpillLocation option = wish == SpillWish::None ? SpillLocation::None : SpillLocation::L1Interleaved;
    return Keeper(state, chain, "hint").keep(option) ? "" : impossibleReason(state, firstTrial);
}

}  // namespace

void applySpillWishes(ShardingState& state) {
    for (std::size_t i = 0; i < state.flow.size(); ++i) {
        const OperationId op = OperationId::of(i);
        const std::optional<SpillWish> wish = state.spillWish(op);
        if (!wish) continue;
        std::string reason = applyWish(state, op, *wish);
        state.hintOutcomes.push_back({"spill", state.flow.operation(op).location.name, reason.empty(), reason});
    }
}

void reserveForks(ShardingState& state) {
    for (std::size_t i = 0; i < state.chains.size() && !state.input.control.cancelled(); ++i) {
        const Chain& chain = state.chains[i];
        if (!chain.isCompleted() || chain.info().spill != SpillLocation::Dram) continue;
        const OperationId last = chain.last();
        if (state.flow.operation(last).results.size() != 1 || state.flow.useCount(last) < 2) continue;
        if (state.lastReader(last) < 0 || state.spillWish(last) == SpillWish::Dram) continue;
        Keeper keeper(state, static_cast<int>(i), "fork");
        if (!keeper.keep(SpillLocation::None)) keeper.keep(SpillLocation::L1Interleaved);
    }
}

}  // namespace memplan::ttnn

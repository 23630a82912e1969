// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/measure/views.h"
#include "engine/ttnn/sharding/residents.h"
#include "engine/ttnn/sharding/steps.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace memplan::ttnn {
namespace {

/// A chain that the reshape follows at once hands its output over in interleaved L1 (6.3 step 1). The original does so
/// unasked; here the producer with the copy beside it, and the reshape with the copy as input, are validated first.
void keepInput(ShardingState& state, OperationId reshape) {
    if (state.flow.operands(reshape).empty()) return;
    const TensorOperand& operand = state.flow.operands(reshape).front();
    const int source = state.completedChainEndingIn(operand.producer);
    if (source < 0 || state.chain(source).info().spill != SpillLocation::Dram) return;
    if (state.flow.useCount(operand.producer) != 1 || state.spillWish(operand.producer) == SpillWish::Dram) return;
    const Step position = state.positionOf(reshape);
    if (position != state.positionOf(operand.producer) + 1) return;
    const Type& type = state.flow.function().typeOf(operand.value);
    const Layout& chosen = *state.chain(source).output();
    ResidencyTry trial(state, operand.producer, "reshape", SpillLocation::L1Interleaved);
    trial.setLayout(l1Interleaved(type.shape, chosen, state.input.model.device()));
    if (!trial.fits({position - 1, position + 1})) return;
    trial.accept(position);
    state.chain(source).setSpill(SpillLocation::L1Interleaved);
}

void addReshapeChain(ShardingState& state, OperationId op, const Layout& layout) {
    Chain chain;
    [[maybe_unused]] const auto added = chain.add(op);
    [[maybe_unused]] const auto built = chain.build();
    [[maybe_unused]] const auto resolved = chain.resolve();
    [[maybe_unused]] const auto completed = chain.complete({OpConfig{layout, {}}});
    assert(added.ok() && built.ok() && resolved.ok() && completed.ok());
    chain.markReshape();
    const std::vector<OperationId> readers = state.flow.readers(op);
    const ChainEnd end = chainEnd(state.flow, state.rules, op, readers.empty() ? OperationId{} : readers.front());
    chain.setEnd(end.reason, end.at, end.operand);
    state.addChain(std::move(chain));
}

/// A layout that was forced comes first: the space of the operation holds what it allows.
bool isForbidden(const ShardingState& state, OperationId op, const Layout& layout) {
    const std::string& name = state.flow.operation(op).location.name;
    if (name.empty() || findOverride(state.input.options.outputLayouts, name) == nullptr) return false;
    return std::ranges::find(state.input.space.ops[op.at()].configs, layout, &OpConfig::output) ==
           state.input.space.ops[op.at()].configs.end();
}

double nsOf(const ShardingState& state, OperationId op, std::span<const Layout> inputs, const OpConfig& config) {
    const Function& f = state.flow.function();
    return state.input.model.runtime({f, f.operation(op), inputs, config}).ns;
}

/// A reshape of a value in DRAM that moves nothing there has to copy into L1. That pays only where its readers gain
/// more than the copy takes (9.5).
bool isCheaperAsView(const ShardingState& state, OperationId op, const Layout& inL1) {
    const Function& f = state.flow.function();
    const auto inputs = state.inputLayouts(op, {});
    const ValueId result = f.resultOf(op);
    if (!inputs || inputs->size() != 1 || !inputs->front().isInDram() || !f.typeOf(result).layout) return false;
    Type from = f.typeOf(state.flow.operands(op).front().value);
    from.layout = inputs->front();
    if (!canBeView(from, f.typeOf(result))) return false;
    const Layout view = dramInterleaved(f.typeOf(result).shape, inputs->front(), state.input.model.device());
    double gain = nsOf(state, op, *inputs, {view, {}}) - nsOf(state, op, *inputs, {inL1, {}});
    for (const OperationId reader : state.flow.readers(op)) {
        const OpConfig* config = state.configOf(reader);
        auto others = state.inputLayouts(reader, {});
        if (config == nullptr || !others) return false;
        const auto readAs = [&](const Layout& layout) {
            const auto& operands = state.flow.operands(reader);
            for (std::size_t k = 0; k < operands.size(); ++k)
                if (operands[k].producer == op) (*others)[k] = layout;
            return nsOf(state, reader, *others, *config);
        };
        gain += readAs(view) - readAs(inL1);
    }
    return gain < 0;
}

void keepResult(ShardingState& state, OperationId op) {
    const std::optional<Layout> layout = state.interleavedResult(op);
    if (!layout || isForbidden(state, op, *layout)) return;
    ResidencyTry trial(state, op, "reshape", SpillLocation::L1Interleaved);
    trial.setLayout(*layout);
    if (!trial.hasReadersHere() || isCheaperAsView(state, op, *layout)) return;
    const Step position = state.positionOf(op);
    const Step last = std::max(position, state.lastReader(op));
    if (!trial.fits({position, last + 1})) return;
    addReshapeChain(state, op, *layout);
    trial.accept(last);
}

/// Its result is written to DRAM whatever is kept, and from DRAM it is a view: from L1 it would be a copy.
bool staysFreeInDram(const ShardingState& state, OperationId op) {
    const Function& f = state.flow.function();
    const ValueId result = f.resultOf(op);
    if (!state.flow.isReturned(op) || state.flow.operands(op).empty() || !f.typeOf(result).layout) return false;
    return f.typeOf(result).layout->isInDram() &&
           canBeView(f.typeOf(state.flow.operands(op).front().value), f.typeOf(result));
}

}  // namespace

void reserveReshapes(ShardingState& state) {
    for (std::size_t p = 0; p < state.schedule.size() && !state.input.control.cancelled(); ++p) {
        const OperationId op = state.schedule[p];
        if (!state.flow.operation(op).is("reshape") || !state.flow.hasTensorResult(op)) continue;
        if (!staysFreeInDram(state, op)) keepInput(state, op);
        keepResult(state, op);
    }
}

}  // namespace memplan::ttnn

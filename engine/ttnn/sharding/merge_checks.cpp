// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/merge_checks.h"

namespace memplan::ttnn {

Resident MergeChecks::resident(int source) const {
    return {state_.chain(source).last(), *state_.chain(source).output()};
}

bool MergeChecks::isForbidden(const MergeCandidate& candidate) const {
    return state_.hasHint(state_.input.options.chainHints.forbidMerge, candidate.join) ||
           state_.spillWish(state_.chain(candidate.source).last()) == SpillWish::Dram;
}

Outcome MergeChecks::mayMerge(const MergeCandidate& candidate) const {
    const OperationId last = state_.chain(candidate.source).last();
    if (state_.flow.useCount(last) == 1) return std::nullopt;
    return Refusal{last, "its result has another reader", 0, 0};
}

Outcome MergeChecks::chain(int chain, std::pair<std::size_t, std::size_t> range, std::span<const Resident> held) {
    const std::vector<OperationId>& ops = state_.chain(chain).ops();
    for (std::size_t i = range.first; i < range.second && i < ops.size(); ++i)
        if (Outcome refused = state_.validateAsChosen(ops[i], held)) return refused;
    return std::nullopt;
}

Outcome MergeChecks::join(std::span<const MergeCandidate> sources, std::span<const Resident> held) {
    const OperationId op = sources.front().join;
    std::optional<std::vector<Layout>> inputs = state_.inputLayouts(op, held);
    if (!inputs) return Refusal{op, "an operand has no layout", 0, 0};
    const std::vector<TensorOperand>& operands = state_.flow.operands(op);
    for (const MergeCandidate& source : sources)
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].position == source.operand) (*inputs)[k] = *state_.chain(source.source).output();
    const OpConfig& config = *state_.configOf(op);
    if (Outcome refused = refuseShrinking(state_.flow.operation(op), op, *inputs, *config.output)) return refused;
    return state_.validate({op, *inputs, config, held});
}

Outcome MergeChecks::fragmentation(const MergeCandidate& candidate, std::span<const Resident> held) {
    return chain(candidate.target, {candidate.index + 1, candidate.index + 2}, held);
}

Outcome MergeChecks::between(OperationId after, OperationId before, std::span<const Resident> held) {
    return state_.validateRange({state_.positionOf(after) + 1, state_.positionOf(before)}, held);
}

}  // namespace memplan::ttnn

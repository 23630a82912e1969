// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/policies/interleaved.h"

#include "engine/ttnn/transform/config_analysis.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

const OpConfig* firstL1Config(const Function& function, const OpSpace& space, OperationId op) {
    const ValueId result = function.resultOf(op);
    if (!result.isValid() || !function.typeOf(result).layout) return nullptr;
    const PageLayout page = function.typeOf(result).layout->page;
    for (const OpConfig& config : space.configs)
        if (config.output && config.output->isInL1() && config.output->isInterleaved() && config.output->page == page)
            return &config;
    return nullptr;
}

}  // namespace

InterleavedOps::InterleavedOps(const PolicyInput& input)
    : input_(input), uses_(memplan::ttnn::usesOf(input.function)), l1_(input.function.operations.size(), nullptr),
      dram_(l1_), mayStay_(l1_.size(), false) {
    for (const OperationId id : input.function.order) {
        if (id.at() >= input.space.ops.size()) continue;
        dram_[id.at()] = defaultConfig(input.function, input.space.ops[id.at()], id);
        l1_[id.at()] = firstL1Config(input.function, input.space.ops[id.at()], id);
    }
    for (const OperationId id : input.function.order)
        mayStay_[id.at()] = l1_[id.at()] && input.function.operation(id).results.size() == 1 &&
                            !readsWhatIsOverwritten(id) && isTakenByReaders(id);
}

const std::vector<Use>& InterleavedOps::usesOf(OperationId op) const {
    static const std::vector<Use> kNone;
    const ValueId result = input_.function.resultOf(op);
    return result.isValid() ? uses_[result.at()] : kNone;
}

std::vector<OperationId> InterleavedOps::producers(OperationId op) const {
    std::vector<OperationId> found;
    for (const ValueId operand : input_.function.operation(op).operands) {
        const Value& value = input_.function.value(operand);
        if (value.producer.isValid() && value.result == 0 &&
            std::find(found.begin(), found.end(), value.producer) == found.end())
            found.push_back(value.producer);
    }
    return found;
}

Validation InterleavedOps::validate(OperationId op, const OpConfig& config, const std::vector<bool>& inL1,
                                    Bytes additional) const {
    const Function& f = input_.function;
    std::vector<Layout> inputs;
    for (const ValueId operand : tensorOperands(f, f.operation(op))) {
        const Value& value = f.value(operand);
        const bool isL1 = value.producer.isValid() && value.result == 0 && inL1[value.producer.at()];
        if (isL1)
            inputs.push_back(*l1_[value.producer.at()]->output);
        else if (value.type.layout)
            inputs.push_back(*value.type.layout);
        else
            return {ValidationStatus::NotImplemented, "an operand has no layout", {}, 0, 0};
    }
    return input_.model.validate({f, f.operation(op), inputs, config, additional});
}

/// An operation without results writes into its operands: who reads them stays on its side of it.
bool InterleavedOps::readsWhatIsOverwritten(OperationId op) const {
    const Function& f = input_.function;
    for (const ValueId operand : f.operation(op).operands)
        for (const Use& use : uses_[operand.at()]) {
            if (!use.user.isValid()) continue;
            const Operation& user = f.operation(use.user);
            if (user.results.empty() && !user.is("deallocate")) return true;
        }
    return false;
}

bool InterleavedOps::isTakenByReaders(OperationId op) const {
    std::vector<bool> inL1(input_.function.operations.size(), false);
    inL1[op.at()] = true;
    for (const Use& use : usesOf(op)) {
        if (!use.user.isValid() || use.operand < 0) return false;
        if (input_.function.operation(use.user).is("deallocate")) continue;
        const OpConfig* config = dram_[use.user.at()];
        if (!config) return false;
        const Validation validation = validate(use.user, *config, inL1, 0);
        if (!validation.ok() || validation.constraints.outputs.empty()) return false;
        if (config->output && validation.constraints.outputs.front() != *config->output) return false;
    }
    return true;
}

}  // namespace memplan::ttnn

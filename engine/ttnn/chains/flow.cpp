// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/flow.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

std::vector<TensorOperand> tensorOperandsOf(const Function& function, const Operation& operation) {
    std::vector<TensorOperand> operands;
    for (std::size_t k = 0; k < operation.operands.size(); ++k) {
        const Value& value = function.value(operation.operands[k]);
        if (!value.type.isTensor) continue;
        operands.push_back(
            {static_cast<int>(k), operation.operands[k], value.result == 0 ? value.producer : OperationId{}});
    }
    return operands;
}

std::vector<OperationId> readersIn(const std::vector<Use>& uses) {
    std::vector<OperationId> readers;
    for (const Use& use : uses)
        if (use.user.isValid() && std::ranges::find(readers, use.user) == readers.end()) readers.push_back(use.user);
    return readers;
}

}  // namespace

Flow::Flow(const Function& function) : function_(function), uses_(usesOf(function)) {
    operands_.reserve(function.operations.size());
    for (const Operation& operation : function.operations)
        operands_.push_back(tensorOperandsOf(function, operation));
    for (std::size_t i = 0; i < function.operations.size(); ++i)
        readers_.push_back(readersIn(uses(OperationId::of(i))));
}

const std::vector<Use>& Flow::uses(OperationId op) const {
    const ValueId result = function_.resultOf(op);
    return result.isValid() ? uses(result) : none_;
}

std::size_t Flow::useCount(OperationId op) const {
    std::size_t count = 0;
    for (const ValueId result : operation(op).results)
        count += uses(result).size();
    return count;
}

bool Flow::isReturned(OperationId op) const {
    return std::ranges::any_of(operation(op).results, [&](ValueId result) {
        return std::ranges::any_of(uses(result), [](const Use& use) { return !use.user.isValid(); });
    });
}

int Flow::operandReading(OperationId reader, OperationId op) const {
    const std::vector<ValueId>& operands = operation(reader).operands;
    const auto found = std::ranges::find_if(operands, [&](ValueId v) { return function_.value(v).producer == op; });
    return found == operands.end() ? -1 : static_cast<int>(found - operands.begin());
}

bool Flow::hasTensorResult(OperationId op) const {
    const ValueId result = function_.resultOf(op);
    return result.isValid() && function_.typeOf(result).isTensor;
}

}  // namespace memplan::ttnn

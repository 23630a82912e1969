// SPDX-License-Identifier: Apache-2.0
// Who reads what in a function: the one table of operands and uses that chains, solver and merges work on.
#pragma once

#include "engine/ttnn/module/module.h"

#include <vector>

namespace memplan::ttnn {

/// A tensor operand. `producer` is the operation whose first result it is; none for an argument and other results.
struct TensorOperand {
    int position = 0;  ///< among all operands
    ValueId value;
    OperationId producer;
};

class Flow {
public:
    /// The function must outlive it.
    explicit Flow(const Function& function);

    [[nodiscard]] const Function& function() const { return function_; }
    [[nodiscard]] const Operation& operation(OperationId op) const { return function_.operation(op); }
    [[nodiscard]] std::size_t size() const { return function_.operations.size(); }
    /// In operand order; their positions here are those of OpQuery::inputs.
    [[nodiscard]] const std::vector<TensorOperand>& operands(OperationId op) const { return operands_[op.at()]; }
    [[nodiscard]] const std::vector<Use>& uses(ValueId value) const { return uses_[value.at()]; }
    /// Uses of its first result; empty for one without.
    [[nodiscard]] const std::vector<Use>& uses(OperationId op) const;
    /// Operand slots, with those of the return, that read any of its results.
    [[nodiscard]] std::size_t useCount(OperationId op) const;
    [[nodiscard]] bool isReturned(OperationId op) const;
    /// Operations that read its first result, each once, in the order of the function.
    [[nodiscard]] const std::vector<OperationId>& readers(OperationId op) const { return readers_[op.at()]; }
    /// First operand of `reader` that a result of `op` stands at; -1 where there is none.
    [[nodiscard]] int operandReading(OperationId reader, OperationId op) const;
    /// Its first result is a ranked tensor.
    [[nodiscard]] bool hasTensorResult(OperationId op) const;

private:
    const Function& function_;
    Uses uses_;
    std::vector<std::vector<TensorOperand>> operands_;
    std::vector<std::vector<OperationId>> readers_;
    std::vector<Use> none_;
};

}  // namespace memplan::ttnn

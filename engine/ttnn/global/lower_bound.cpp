// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/lower_bound.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace memplan::ttnn {
namespace {

class Bound {
public:
    explicit Bound(Evaluator& evaluator) : evaluator_(evaluator) {}

    double of(OperationId op) {
        const ValueId result = evaluator_.function().resultOf(op);
        if (!result.isValid() || evaluator_.given(result) < 0) return 0;
        const auto& operands = evaluator_.flow().operands(op);
        std::vector<LayoutId> inputs;
        for (const TensorOperand& operand : operands)
            inputs.push_back(evaluator_.given(operand.value));
        least_ = std::numeric_limits<double>::infinity();
        ask(op, inputs);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (inputs[k] < 0) continue;
            const std::vector<LayoutId> targets = evaluator_.targets(operands[k].value, inputs[k]);
            for (const LayoutId target : targets)
                ask(op, alike(op, inputs, k, target));
            ask(op, alike(op, inputs, k, evaluator_.interleavedL1Of(operands[k].value, inputs[k])));
        }
        if (least_ < std::numeric_limits<double>::infinity()) return least_;
        return evaluator_.defaultOption(op, inputs).answer.ns;
    }

private:
    void ask(OperationId op, const std::vector<LayoutId>& inputs) {
        for (const Option& option : evaluator_.options(op, inputs))
            least_ = std::min(least_, option.answer.ns);
    }
    /// The operand in that layout; others that an operation makes in the same one, or in interleaved L1.
    std::vector<LayoutId> alike(OperationId op, std::vector<LayoutId> inputs, std::size_t k, LayoutId target) {
        const auto& operands = evaluator_.flow().operands(op);
        for (std::size_t j = 0; j < operands.size(); ++j) {
            if (j == k || !operands[j].producer.isValid() || inputs[j] < 0) continue;
            const bool isSameShape = evaluator_.function().typeOf(operands[j].value).shape ==
                                     evaluator_.function().typeOf(operands[k].value).shape;
            const bool takesIt = isSameShape && (!evaluator_.isSharded(target) || evaluator_.takesSharded(op, j));
            inputs[j] = takesIt ? target : evaluator_.interleavedL1Of(operands[j].value, inputs[j]);
        }
        inputs[k] = target;
        return inputs;
    }

    Evaluator& evaluator_;
    double least_ = 0;
};

}  // namespace

double lowerBoundNs(Evaluator& evaluator, const Assignment& found) {
    Bound bound(evaluator);
    const AssignmentCost cost(evaluator);
    double sum = 0;
    for (const OperationId op : evaluator.function().order) {
        const OpChoice& choice = found.ops[op.at()];
        double least = bound.of(op);
        if (choice.output >= 0)
            least = std::min(least, evaluator.ask(op, cost.inputs(found, op), choice.output, choice.attrs).ns);
        sum += least;
    }
    return sum;
}

}  // namespace memplan::ttnn

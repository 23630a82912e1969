// SPDX-License-Identifier: Apache-2.0
// A whole solution as numbers, what it costs and where it does not fit (ttnn-optimizer 12.5): what the searches of
// chapter 12 change and compare.
#pragma once

#include "engine/ttnn/assign/evaluator.h"
#include "engine/ttnn/solution/transformed.h"

#include <optional>
#include <vector>

namespace memplan::ttnn {

/// How an operation reads one tensor operand.
struct EdgeChoice {
    bool fromCopy = false;  ///< of the producer, not the value itself
    LayoutId reshard = -1;  ///< converted to it just before
    friend bool operator==(const EdgeChoice&, const EdgeChoice&) = default;
};

struct OpChoice {
    LayoutId output = -1;  ///< -1 for an operation without a tensor result
    AttrsId attrs = 0;
    LayoutId copy = -1;             ///< of its first result, made right behind it: in DRAM or in interleaved L1
    std::vector<EdgeChoice> edges;  ///< by tensor operand
    friend bool operator==(const OpChoice&, const OpChoice&) = default;
};

struct Assignment {
    std::vector<OperationId> order;  ///< all operations
    std::vector<OpChoice> ops;       ///< by OperationId
};

/// What a transformed function does.
[[nodiscard]] Assignment assignmentOf(Evaluator& evaluator, const Transformed& transformed);
/// The solution that the transformation makes it from; its conversions are proactive, but for those made by hand.
[[nodiscard]] Solution solutionOf(const Evaluator& evaluator, const Assignment& assignment);

struct Evaluation {
    bool isLegal = true;
    OperationId firstRefused;   ///< the first operation that does not run, or whose conversions do not
    Bytes over = 0;             ///< bytes by which that is too much; 0 where it is no matter of room
    double ns = 0;              ///< operations and conversions
    std::int64_t sharded = 0;   ///< operations with a sharded result
    std::int64_t reshards = 0;  ///< conversions that are no copies
    /// Fewer nanoseconds, then more sharded operations, then fewer conversions. Gains below a millionth do not count.
    [[nodiscard]] bool isBetterThan(const Evaluation& other) const;
};

/// Asks every operation and conversion at its position with everything that is in L1 then.
class AssignmentCost {
public:
    explicit AssignmentCost(Evaluator& evaluator);
    [[nodiscard]] Evaluation operator()(const Assignment& assignment);

    /// One kernel of the last run that was evaluated: an operation or a conversion.
    struct Item {
        OperationId op;
        Answer answer;
        std::vector<int> own;  ///< slots of its operands and its result
    };
    /// A tensor in L1, from the item that makes it to its last reader.
    struct Slot {
        Bytes bytes = 0;
        int first = 0, last = 0;
    };
    [[nodiscard]] const std::vector<Item>& items() const { return items_; }
    [[nodiscard]] const std::vector<Slot>& tensors() const { return slots_; }
    /// Of a value itself; -1 outside L1.
    [[nodiscard]] int slotOf(ValueId value) const { return slotOf_[value.at()]; }

    /// Layouts in which an operation reads its tensor operands.
    [[nodiscard]] std::vector<LayoutId> inputs(const Assignment& assignment, OperationId op) const;
    /// Layout of a value, or of its copy, before any conversion of the edge.
    [[nodiscard]] LayoutId source(const Assignment& assignment, const TensorOperand& operand,
                                  const EdgeChoice& edge) const;

private:
    void addOp(const Assignment& assignment, OperationId op);
    void addItem(OperationId op, const Answer& answer, std::vector<int> own);
    int newSlot(LayoutId layout);
    void use(int slot);

    Evaluator& evaluator_;
    std::vector<Item> items_;
    std::vector<Slot> slots_;
    std::vector<int> slotOf_, copySlotOf_;  ///< by value; -1 outside L1
    Evaluation result_;
};

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// The cost of an assignment that changes step by step (ttnn-optimizer 12.5 a): what AssignmentCost says of the whole,
// at the price of what a step touches.
#pragma once

#include "engine/ttnn/assign/assignment.h"

#include <limits>
#include <span>
#include <vector>

namespace memplan::ttnn {

/// Follows one assignment, which outlives it; every change is reported to it.
class LiveCost {
public:
    LiveCost(Evaluator& evaluator, const Assignment& assignment);

    /// Takes the whole assignment anew.
    void reset();
    /// The choices of these operations are others now.
    void update(std::span<const OperationId> changed);
    /// The operations at that position of the order and behind it have changed places.
    void swapped(std::size_t position);

    /// Without the operation that does not fit.
    [[nodiscard]] Evaluation evaluation() const;
    /// Bytes in L1 across operations that do not use them, summed over the order: what other values have no room for.
    [[nodiscard]] Bytes pressure() const { return pressure_; }
    [[nodiscard]] std::size_t positionOf(OperationId op) const { return static_cast<std::size_t>(position_[op.at()]); }

private:
    /// A conversion before an operation: of a slot, into one that lasts until the operation has run.
    struct Conversion {
        int from = -1;
        Bytes bytes = 0, need = 0;
        bool isLegal = true;
    };
    struct OpState {
        double ns = 0;
        std::int64_t sharded = 0;
        std::vector<int> reads;   ///< slots from before it, each once
        std::vector<int> direct;  ///< of these: those that the operation itself reads
        std::vector<Conversion> conversions;
        int first = -1;     ///< slot that operand 0 is read from; that of a view of its conversion
        bool runs = false;  ///< it has an item of its own
        Answer answer;
        Bytes resultBytes = 0;  ///< of a slot of its own
        bool hasCopy = false;
        Answer copy;
        int slot = -1, copySlot = -1;  ///< of the value, which may be that of its operand, and of its copy
    };
    /// A tensor in L1 from the operation that makes it to its last reader.
    struct Slot {
        Bytes bytes = 0;
        int maker = -1;          ///< operation; -1: an argument
        int begin = 0, end = 0;  ///< positions, as they count in `through_`
        bool isCounted = false;
        bool isReturned = false;   ///< an argument; its copy is made at the end
        std::vector<int> readers;  ///< operations
    };

    // Slots by number: three of an operation, then those of arguments.
    [[nodiscard]] static int resultSlot(OperationId op) { return 3 * op.index; }
    [[nodiscard]] static int copySlotOf(OperationId op) { return 3 * op.index + 1; }
    /// Of operand 0 converted, where the result is a view of it.
    [[nodiscard]] static int viewedSlot(OperationId op) { return 3 * op.index + 2; }
    [[nodiscard]] Slot& slot(int number) { return slots_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] const Slot& slot(int number) const { return slots_[static_cast<std::size_t>(number)]; }

    void enqueue(OperationId op);
    void recompute(OperationId op);
    [[nodiscard]] OpState stateOf(OperationId op);
    void readOperands(OperationId op, OpState& state, std::vector<LayoutId>& layouts);
    void touch(int number);
    void settleSlots();
    void settleSlack(OperationId op);
    [[nodiscard]] Bytes slackOf(OperationId op) const;
    [[nodiscard]] Bytes slackOfConversion(const OpState& state, std::size_t j, int at) const;
    [[nodiscard]] Bytes slackOfRun(const OpState& state, int at) const;
    void addThrough(const Slot& slot, Bytes bytes);
    void setSlack(std::size_t position, Bytes slack);

    Evaluator& evaluator_;
    const Assignment& a_;
    std::vector<int> position_;  ///< by operation; -1 outside the order
    std::vector<OpState> states_;
    std::vector<Slot> slots_;
    std::vector<int> argumentSlot_;  ///< by value; -1 for others
    std::vector<Bytes> through_;     ///< by position: bytes of slots from before it that stay behind it
    std::vector<Bytes> slack_;       ///< by position: the most that may be
    std::int64_t refused_ = 0;       ///< positions with more
    Bytes pressure_ = 0;
    double ns_ = 0;
    std::int64_t sharded_ = 0, reshards_ = 0;

    std::vector<int> queue_;  ///< positions, a heap with the first on top
    std::vector<bool> isQueued_;
    std::vector<int> touched_;  ///< slots
    std::vector<bool> isTouched_;
    std::vector<OperationId> recomputed_;
};

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Changes of an assignment that keep every operation runnable with what it reads (room in L1 is another question).
#pragma once

#include "engine/ttnn/assign/assignment.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace memplan::ttnn {

class AssignmentEditor {
public:
    AssignmentEditor(Evaluator& evaluator, Assignment& assignment);

    [[nodiscard]] const Assignment& assignment() const { return a_; }

    /// From here on changes can be taken back.
    void begin();
    void rollBack();
    /// Nanoseconds that the changes since `begin` add, and the sharded results that they add.
    struct Change {
        double ns = 0;
        std::int64_t sharded = 0;
    };
    [[nodiscard]] Change change();
    [[nodiscard]] bool isChanged() const { return !journal_.empty(); }
    [[nodiscard]] int positionOf(OperationId op) const { return position_[op.at()]; }

    /// Its configuration; readers get the layout that they had by a conversion, or another configuration.
    void setOption(OperationId op, const Option& option);
    /// Configuration and edges together; all readers but `next`, which is placed after it, keep what they read.
    void place(OperationId op, const Option& option, const std::vector<EdgeChoice>& edges, OperationId next);
    /// How it reads an operand. Where it cannot run so it gets another configuration.
    void setEdge(OperationId op, std::size_t operand, EdgeChoice edge);
    /// Readers at that position and behind take the value from a copy in DRAM.
    void evict(OperationId op, int fromPosition);
    /// Readers take the value itself again, and there is no copy unless it is returned.
    void keep(OperationId op);
    /// The configuration without a policy, with everything read from DRAM.
    void demote(OperationId op);
    /// Copies that nothing reads go; returned values in L1 get one.
    void tidyCopies();
    /// The same for what the changes since `begin` may have left behind.
    void tidyChanged();
    /// Exchanges two neighbours of the order, if neither needs to be before the other. Not taken back by `rollBack`.
    bool swap(std::size_t position);
    /// The order of the assignment is another one.
    void takeOrder();
    /// Operations whose choices are others than at `begin`.
    [[nodiscard]] std::vector<OperationId> changed() const;

private:
    void adaptReaders(OperationId op, LayoutId before, OperationId except);
    void adapt(OperationId reader, std::size_t operand, LayoutId before);
    [[nodiscard]] bool runs(OperationId op) const;
    void chooseOption(OperationId op);
    void readFromDram(OperationId op);
    void readValueItself(OperationId op);
    void makeCopy(OperationId op);
    void tidyCopy(OperationId op);
    /// The choice of an operation, to be changed.
    OpChoice& edit(OperationId op);
    /// What the operation, its conversions and its copy take.
    [[nodiscard]] double ns(const Assignment& assignment, OperationId op);
    [[nodiscard]] LayoutId source(OperationId op, std::size_t operand) const;

    Evaluator& evaluator_;
    Assignment& a_;
    AssignmentCost cost_;  ///< for the layouts that are read
    std::vector<int> position_;
    int depth_ = 0;
    bool isRecording_ = false;
    std::vector<std::pair<OperationId, OpChoice>> journal_;  ///< as they were
    std::vector<bool> isInJournal_;
};

}  // namespace memplan::ttnn

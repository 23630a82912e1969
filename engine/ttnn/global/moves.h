// SPDX-License-Identifier: Apache-2.0
// The moves of a local search over one assignment, tried and taken back, with the cost of each as it goes
// (ttnn-optimizer 12.5 a).
#pragma once

#include "engine/ttnn/assign/editor.h"
#include "engine/ttnn/assign/live_cost.h"
#include "engine/ttnn/global/candidate.h"

namespace memplan::ttnn {

class Moves {
public:
    Moves(Evaluator& evaluator, Assignment start)
        : evaluator_(evaluator), now_(std::move(start)), cost_(evaluator), editor_(evaluator, now_),
          live_(evaluator, now_) {
        editor_.begin();
    }
    Moves(const Moves&) = delete;
    Moves& operator=(const Moves&) = delete;

    [[nodiscard]] const Assignment& now() const { return now_; }
    [[nodiscard]] Evaluation evaluation() const { return live_.evaluation(); }
    [[nodiscard]] const LiveCost& live() const { return live_; }
    [[nodiscard]] Evaluator& evaluator() const { return evaluator_; }
    [[nodiscard]] const AssignmentEditor& editor() const { return editor_; }
    /// Layouts in which an operation reads its tensor operands.
    [[nodiscard]] std::vector<LayoutId> inputs(OperationId op) const;
    /// Layout that it reads an operand from, before a conversion of the edge.
    [[nodiscard]] LayoutId source(OperationId op, std::size_t operand) const;

    /// Makes a change with the editor, cleans up behind it and asks `accept` with what that adds and the evaluation;
    /// not accepted it is taken back. False where there is nothing to accept.
    template <class Change, class Hope, class Accept>
    bool attempt(const Change& change, const Hope& isPromising, const Accept& accept);
    /// Exchanges neighbours of the order. False where one needs the other first.
    bool swap(std::size_t position);
    /// Another whole assignment in its place.
    void replace(const Assignment& assignment);

private:
    Evaluator& evaluator_;
    Assignment now_;
    AssignmentCost cost_;  ///< asked for layouts only
    AssignmentEditor editor_;
    LiveCost live_;
};

template <class Change, class Hope, class Accept>
bool Moves::attempt(const Change& change, const Hope& isPromising, const Accept& accept) {
    editor_.begin();
    change(editor_);
    if (!editor_.isChanged()) return false;
    if (!isPromising(editor_.change())) {
        editor_.rollBack();
        return false;
    }
    editor_.tidyChanged();
    const std::vector<OperationId> changed = editor_.changed();
    live_.update(changed);
    if (accept(live_.evaluation())) {
        editor_.begin();
        return true;
    }
    editor_.rollBack();
    live_.update(changed);
    return false;
}

}  // namespace memplan::ttnn

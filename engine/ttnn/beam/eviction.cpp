// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/beam/eviction.h"

#include "engine/ttnn/assign/editor.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

class Evictor {
public:
    Evictor(Evaluator& evaluator, Assignment& assignment)
        : evaluator_(evaluator), a_(assignment), editor_(evaluator, assignment), cost_(evaluator),
          demoted_(assignment.ops.size(), false) {}

    void run() {
        editor_.tidyCopies();
        flushUnmodelled();
        // Each round sends a value to DRAM for good or gives up on an operation.
        for (std::size_t round = 0; round < 4 * a_.order.size() + 16; ++round) {
            const Evaluation evaluation = cost_(a_);
            if (evaluation.isLegal || evaluator_.input().control.cancelled()) return;
            if (!makeRoom(evaluation)) return;
            editor_.tidyCopies();
        }
    }

private:
    [[nodiscard]] int lastDirectRead(OperationId op) const {
        int last = -1;
        for (const OperationId reader : evaluator_.flow().readers(op)) {
            const auto& operands = evaluator_.flow().operands(reader);
            for (std::size_t k = 0; k < operands.size(); ++k)
                if (operands[k].producer == op && !a_.ops[reader.at()].edges[k].fromCopy)
                    last = std::max(last, editor_.positionOf(reader));
        }
        return last;
    }
    /// The value in L1 across that position that is read last.
    [[nodiscard]] OperationId farthest(int position) const {
        OperationId best;
        int farthestRead = position;
        for (const OperationId op : a_.order) {
            if (editor_.positionOf(op) >= position) break;
            const OpChoice& choice = a_.ops[op.at()];
            if (choice.output < 0 || !evaluator_.isInL1(choice.output)) continue;
            const int last = lastDirectRead(op);
            if (last <= farthestRead) continue;
            farthestRead = last;
            best = op;
        }
        return best;
    }
    bool makeRoom(const Evaluation& evaluation) {
        const OperationId op = evaluation.firstRefused;
        const int position = editor_.positionOf(op);
        if (evaluation.over > 0) {
            const OperationId victim = farthest(position);
            if (victim.isValid()) {
                editor_.evict(victim, position);
                return true;
            }
        }
        if (demoted_[op.at()]) return false;
        demoted_[op.at()] = true;
        editor_.demote(op);
        return true;
    }
    void flushUnmodelled() {
        for (const OperationId op : a_.order) {
            const OpChoice& choice = a_.ops[op.at()];
            if (choice.output < 0) continue;
            const auto inputs = cost_.inputs(a_, op);
            if (!evaluator_.ask(op, inputs, choice.output, choice.attrs).isUnmodelled) continue;
            editor_.demote(op);
            const int position = editor_.positionOf(op);
            for (const OperationId other : a_.order) {
                if (editor_.positionOf(other) >= position) break;
                const OpChoice& held = a_.ops[other.at()];
                if (held.output >= 0 && evaluator_.isInL1(held.output) && lastDirectRead(other) >= position)
                    editor_.evict(other, position);
            }
        }
    }

    Evaluator& evaluator_;
    Assignment& a_;
    AssignmentEditor editor_;
    AssignmentCost cost_;
    std::vector<bool> demoted_;
};

}  // namespace

void evictUntilFits(Evaluator& evaluator, Assignment& assignment) {
    Evictor(evaluator, assignment).run();
}

}  // namespace memplan::ttnn

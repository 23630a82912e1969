// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/annealing.h"

#include "engine/base/random.h"
#include "engine/ttnn/global/moves.h"

#include <cmath>

namespace memplan::ttnn {
namespace {

constexpr double kHot = 0.2, kCold = 0.001;  ///< of the mean time of an operation

class Annealing {
public:
    Annealing(Evaluator& evaluator, Candidate& best, const AnnealingLimits& limits)
        : evaluator_(evaluator), best_(best), limits_(limits), moves_(evaluator, best.assignment),
          random_(std::uint64_t{limits.seed} + 1) {}

    void run() {
        const auto ops = static_cast<double>(moves_.now().order.size());
        const double mean = best_.evaluation.ns / ops;
        const auto& control = evaluator_.input().control;
        for (std::int64_t move = 0; move < limits_.moves; ++move) {
            const double done = static_cast<double>(move) / static_cast<double>(limits_.moves);
            if (move % 256 == 0) {
                if (control.shouldStop()) return;
                control.progress("annealing", done, 1);
            }
            heat_ = mean * kHot * std::pow(kCold / kHot, done);
            step();
        }
    }

private:
    void step() {
        const auto& order = moves_.now().order;
        const std::size_t at = random_.below(order.size());
        const OperationId op = order[at];
        switch (random_.below(8)) {
        case 0:
            return exchange(at);
        case 1:
        case 2:
            return moveResidency(op);
        case 3:
        case 4:
            return moveEdge(op);
        default:
            return moveOption(op);
        }
    }
    void exchange(std::size_t at) {
        if (at + 1 >= moves_.now().order.size() || !moves_.swap(at)) return;
        if (!moves_.evaluation().isLegal) (void)moves_.swap(at);
    }
    void moveOption(OperationId op) {
        if (moves_.now().ops[op.at()].output < 0 || evaluator_.isUndecided(op)) return;
        const std::vector<Option>& options = evaluator_.options(op, moves_.inputs(op));
        if (options.empty()) return;
        const Option option = options[random_.below(options.size())];
        attempt([&](AssignmentEditor& editor) { editor.setOption(op, option); });
    }
    void moveResidency(OperationId op) {
        const OpChoice& choice = moves_.now().ops[op.at()];
        const auto& readers = evaluator_.flow().readers(op);
        if (choice.output < 0 || !evaluator_.isInL1(choice.output) || readers.empty()) return;
        if (choice.copy >= 0 && random_.below(2) == 0)
            return attempt([&](AssignmentEditor& editor) { editor.keep(op); });
        const int position = moves_.editor().positionOf(readers[random_.below(readers.size())]);
        attempt([&](AssignmentEditor& editor) { editor.evict(op, position); });
    }
    void moveEdge(OperationId op) {
        const auto& operands = evaluator_.flow().operands(op);
        if (operands.empty()) return;
        const std::size_t k = random_.below(operands.size());
        EdgeChoice edge = moves_.now().ops[op.at()].edges[k];
        const LayoutId like = moves_.source(op, k);
        if (like < 0 || !evaluator_.mayConvert(op, k)) return;
        if (edge.reshard >= 0 && random_.below(2) == 0) {
            edge.reshard = -1;
        } else {
            const auto& targets = evaluator_.targets(operands[k].value, like);
            const std::size_t chosen = random_.below(targets.size() + 1);
            edge.reshard =
                chosen < targets.size() ? targets[chosen] : evaluator_.interleavedL1Of(operands[k].value, like);
            if (edge.reshard == like) edge.reshard = -1;
        }
        attempt([&](AssignmentEditor& editor) { editor.setEdge(op, k, edge); });
    }
    template <class Change> void attempt(const Change& change) {
        const double before = moves_.evaluation().ns;
        const double threshold = -heat_ * std::log(1 - random_.fraction());
        const auto isPromising = [&](const AssignmentEditor::Change& added) { return added.ns <= threshold; };
        const auto accept = [&](const Evaluation& now) {
            return now.isLegal && now.sharded >= limits_.floor && now.ns - before <= threshold;
        };
        if (!moves_.attempt(change, isPromising, accept)) return;
        const Evaluation now = moves_.evaluation();
        if (isBetter(now, best_.evaluation, limits_.floor)) best_ = {moves_.now(), now};
    }

    Evaluator& evaluator_;
    Candidate& best_;
    const AnnealingLimits& limits_;
    Moves moves_;
    Random random_;
    double heat_ = 0;
};

}  // namespace

void anneal(Evaluator& evaluator, Candidate& best, const AnnealingLimits& limits) {
    const bool isFine = best.evaluation.isLegal && best.evaluation.sharded >= limits.floor;
    if (isFine && !best.assignment.order.empty()) Annealing(evaluator, best, limits).run();
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/local_search.h"

#include "engine/ttnn/assign/editor.h"
#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/global/path_placement.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kOptionsTried = 8;  ///< per operation and sweep

class Sweeper {
public:
    Sweeper(Evaluator& evaluator, Candidate& best, const SearchLimits& limits)
        : evaluator_(evaluator), best_(best), limits_(limits), now_(best.assignment), editor_(evaluator, now_),
          cost_(evaluator) {}

    void run() {
        const auto paths = pathsOf(evaluator_);
        const std::vector<OperationId> order = now_.order;
        for (int round = 0; round < limits_.rounds && !isOver(); ++round) {
            const Evaluation before = best_.evaluation;
            for (const auto& path : paths)
                if (!isOver()) tryPath(path);
            for (const OperationId op : order)
                if (!isOver()) sweep(op);
            if (!isBetter(best_.evaluation, before, limits_.floor)) return;
        }
    }

private:
    [[nodiscard]] bool isOver() const { return trials_ >= limits_.trials || evaluator_.input().control.shouldStop(); }
    void sweep(OperationId op) {
        tryOptions(op);
        tryResidency(op);
        tryConversions(op);
    }
    template <class Move> void attempt(const Move& move);
    void tryPath(const std::vector<OperationId>& path);
    void tryOptions(OperationId op);
    void tryResidency(OperationId op);
    void tryConversions(OperationId op);
    /// Keeps the present assignment if it is better.
    bool settle();

    Evaluator& evaluator_;
    Candidate& best_;
    const SearchLimits& limits_;
    Assignment now_;
    AssignmentEditor editor_;
    AssignmentCost cost_;
    std::int64_t trials_ = 0;
};

bool Sweeper::settle() {
    editor_.tidyCopies();
    const Evaluation evaluation = cost_(now_);
    if (!isBetter(evaluation, best_.evaluation, limits_.floor)) {
        editor_.rollBack();
        return false;
    }
    best_ = {now_, evaluation};
    editor_.begin();
    return true;
}

template <class Move> void Sweeper::attempt(const Move& move) {
    ++trials_;
    editor_.begin();
    move();
    if (!editor_.isChanged()) return;
    const AssignmentEditor::Change change = editor_.change();
    const double least = 1e-6 * best_.evaluation.ns;
    const bool lacksShards = best_.evaluation.sharded < limits_.floor;
    const bool isPromising =
        lacksShards ? change.sharded > 0 : change.ns < -least || (change.ns < least && change.sharded > 0);
    if (!isPromising || !settle()) editor_.rollBack();
}

/// A path is placed without a look at the room there is; what does not fit is evicted before it is judged.
void Sweeper::tryPath(const std::vector<OperationId>& path) {
    ++trials_;
    editor_.begin();
    if (!placePath(evaluator_, editor_, path)) return editor_.rollBack();
    const double gain = editor_.change().ns;
    if (gain >= 0) return editor_.rollBack();
    Candidate trial{now_, {}};
    trial.evaluation = cost_(trial.assignment);
    if (!trial.evaluation.isLegal) {
        evictUntilFits(evaluator_, trial.assignment);
        trial.evaluation = cost_(trial.assignment);
    }
    if (!isBetter(trial.evaluation, best_.evaluation, limits_.floor)) return editor_.rollBack();
    best_ = std::move(trial);
    now_ = best_.assignment;
    editor_.begin();
}

void Sweeper::tryOptions(OperationId op) {
    if (now_.ops[op.at()].output < 0 || evaluator_.isUndecided(op)) return;
    const std::vector<Option> options = evaluator_.options(op, cost_.inputs(now_, op));
    for (std::size_t i = 0; i < options.size() && i < kOptionsTried; ++i)
        attempt([&] { editor_.setOption(op, options[i]); });
}

void Sweeper::tryResidency(OperationId op) {
    const OpChoice& choice = now_.ops[op.at()];
    if (choice.output < 0) return;
    if (choice.copy >= 0) attempt([&] { editor_.keep(op); });
    if (!evaluator_.isInL1(now_.ops[op.at()].output)) return;
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        const int position = editor_.positionOf(reader);
        attempt([&] { editor_.evict(op, position); });
    }
}

void Sweeper::tryConversions(OperationId op) {
    const auto& operands = evaluator_.flow().operands(op);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const EdgeChoice edge = now_.ops[op.at()].edges[k];
        if (edge.reshard >= 0) attempt([&] { editor_.setEdge(op, k, {edge.fromCopy, -1}); });
        if (edge.fromCopy) attempt([&] { editor_.setEdge(op, k, {false, edge.reshard}); });
        const LayoutId like = cost_.source(now_, operands[k], edge);
        if (like < 0 || !evaluator_.takesSharded(op, k)) continue;
        for (const LayoutId target : evaluator_.targets(operands[k].value, like))
            attempt([&] { editor_.setEdge(op, k, {edge.fromCopy, target == like ? -1 : target}); });
    }
}

}  // namespace

bool isBetter(const Evaluation& a, const Evaluation& b, std::int64_t floor) {
    const bool isFineA = a.isLegal && a.sharded >= floor, isFineB = b.isLegal && b.sharded >= floor;
    if (isFineA != isFineB) return isFineA;
    if (!isFineA && a.isLegal && b.isLegal && a.sharded != b.sharded) return a.sharded > b.sharded;
    return a.isBetterThan(b);
}

void improve(Evaluator& evaluator, Candidate& best, const SearchLimits& limits) {
    Sweeper(evaluator, best, limits).run();
}

}  // namespace memplan::ttnn

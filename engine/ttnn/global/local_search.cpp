// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/local_search.h"

#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/global/moves.h"
#include "engine/ttnn/global/path_placement.h"

namespace memplan::ttnn {
namespace {

constexpr std::size_t kOptionsTried = 8;  ///< per operation and sweep
constexpr int kOrderSweeps = 8;
constexpr double kLeastPathGain = 0.01;  ///< of the time of a path, before its conversions move (12.3)

class Sweeper {
public:
    Sweeper(Evaluator& evaluator, Candidate& best, const SearchLimits& limits)
        : evaluator_(evaluator), best_(best), limits_(limits), moves_(evaluator, best.assignment) {}

    void run() {
        const auto paths = pathsOf(evaluator_);
        const std::vector<OperationId> order = moves_.now().order;
        for (int round = 0; round < limits_.rounds && !isOver(); ++round) {
            const Evaluation before = best_.evaluation;
            for (const auto& path : paths)
                if (!isOver()) tryPath(path);
            for (std::size_t i = 0; i < order.size() && !isOver(); ++i) {
                if (i % 64 == 0) tellProgress(round, i, order.size());
                sweep(order[i]);
            }
            if (!isBetter(best_.evaluation, before, limits_.floor)) break;
        }
        keep();
    }

private:
    [[nodiscard]] bool isOver() const { return trials_ >= limits_.trials || evaluator_.input().control.shouldStop(); }
    void tellProgress(int round, std::size_t done, std::size_t all) const {
        evaluator_.input().control.progress(
            "local search", static_cast<double>(round) + static_cast<double>(done) / static_cast<double>(all),
            static_cast<double>(limits_.rounds));
    }
    void sweep(OperationId op) {
        tryOptions(op);
        tryResidency(op);
        tryConversions(op);
    }
    template <class Change> void attempt(const Change& change);
    void tryPath(const std::vector<OperationId>& path);
    void tryOptions(OperationId op);
    void tryResidency(OperationId op);
    void tryConversions(OperationId op);
    /// What was improved step by step becomes the best.
    void keep() {
        if (hasSteps_) best_.assignment = moves_.now();
        hasSteps_ = false;
    }

    Evaluator& evaluator_;
    Candidate& best_;
    const SearchLimits& limits_;
    Moves moves_;
    bool hasSteps_ = false;  ///< the present assignment is better than that of `best_`, and has its evaluation
    std::int64_t trials_ = 0;
};

template <class Change> void Sweeper::attempt(const Change& change) {
    ++trials_;
    const auto isPromising = [&](const AssignmentEditor::Change& added) {
        const double least = 1e-6 * best_.evaluation.ns;
        if (best_.evaluation.sharded < limits_.floor) return added.sharded > 0;
        return added.ns < -least || (added.ns < least && added.sharded > 0);
    };
    const auto accept = [&](const Evaluation& evaluation) {
        return isBetter(evaluation, best_.evaluation, limits_.floor);
    };
    if (!moves_.attempt(change, isPromising, accept)) return;
    best_.evaluation = moves_.evaluation();
    hasSteps_ = true;
}

/// A path is placed without a look at the room there is; what does not fit is evicted before it is judged.
void Sweeper::tryPath(const std::vector<OperationId>& path) {
    ++trials_;
    bool isPlaced = false;
    Candidate evicted;
    const auto place = [&](AssignmentEditor& editor) {
        isPlaced = placePath(evaluator_, editor, path, kLeastPathGain);
    };
    const auto isPromising = [&](const AssignmentEditor::Change& added) { return isPlaced && added.ns < 0; };
    const auto accept = [&](const Evaluation& evaluation) {
        if (evaluation.isLegal) return isBetter(evaluation, best_.evaluation, limits_.floor);
        evicted.assignment = moves_.now();
        evictUntilFits(evaluator_, evicted.assignment);
        evicted.evaluation = AssignmentCost(evaluator_)(evicted.assignment);
        return false;
    };
    bool isKept = moves_.attempt(place, isPromising, accept);
    if (!isKept && !evicted.assignment.order.empty()) {
        isKept = isBetter(evicted.evaluation, best_.evaluation, limits_.floor);
        if (isKept) moves_.replace(evicted.assignment);
    }
    if (!isKept) return;
    best_.evaluation = moves_.evaluation();
    hasSteps_ = true;
}

void Sweeper::tryOptions(OperationId op) {
    if (moves_.now().ops[op.at()].output < 0 || evaluator_.isUndecided(op)) return;
    const std::vector<Option> options = evaluator_.options(op, moves_.inputs(op));
    for (std::size_t i = 0; i < options.size() && i < kOptionsTried; ++i)
        attempt([&](AssignmentEditor& editor) { editor.setOption(op, options[i]); });
}

void Sweeper::tryResidency(OperationId op) {
    const OpChoice& choice = moves_.now().ops[op.at()];
    if (choice.output < 0) return;
    if (choice.copy >= 0) attempt([&](AssignmentEditor& editor) { editor.keep(op); });
    if (!evaluator_.isInL1(choice.output)) return;
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        const int position = moves_.editor().positionOf(reader);
        attempt([&](AssignmentEditor& editor) { editor.evict(op, position); });
    }
}

void Sweeper::tryConversions(OperationId op) {
    const auto& operands = evaluator_.flow().operands(op);
    const auto attemptEdge = [&](std::size_t k, EdgeChoice edge) {
        attempt([&](AssignmentEditor& editor) { editor.setEdge(op, k, edge); });
    };
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const EdgeChoice edge = moves_.now().ops[op.at()].edges[k];
        if (edge.reshard >= 0) attemptEdge(k, {edge.fromCopy, -1});
        if (edge.fromCopy) attemptEdge(k, {false, edge.reshard});
        const LayoutId like = moves_.source(op, k);
        if (like < 0 || !evaluator_.mayConvert(op, k) || !evaluator_.takesSharded(op, k)) continue;
        for (const LayoutId target : evaluator_.targets(operands[k].value, like))
            attemptEdge(k, {edge.fromCopy, target == like ? -1 : target});
    }
}

/// Neighbours change places where values in L1 then wait across fewer operations.
void easePressure(Moves& moves) {
    const std::size_t size = moves.now().order.size();
    for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
        bool isEased = false;
        for (std::size_t p = 0; p + 1 < size; ++p) {
            const Bytes before = moves.live().pressure();
            if (!moves.swap(p)) continue;
            const bool isKept = moves.evaluation().isLegal && moves.live().pressure() < before;
            if (!isKept) (void)moves.swap(p);
            isEased = isEased || isKept;
        }
        if (!isEased) return;
    }
}

}  // namespace

void improve(Evaluator& evaluator, Candidate& best, const SearchLimits& limits) {
    Sweeper(evaluator, best, limits).run();
}

void improveOrder(Evaluator& evaluator, Candidate& best, const SearchLimits& limits) {
    if (!best.evaluation.isLegal) return;
    Moves moves(evaluator, best.assignment);
    easePressure(moves);
    Candidate eased{moves.now(), best.evaluation};
    improve(evaluator, eased, limits);
    if (isBetter(eased.evaluation, best.evaluation, limits.floor)) best = std::move(eased);
}

}  // namespace memplan::ttnn

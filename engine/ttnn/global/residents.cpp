// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/residents.h"

#include "engine/ttnn/assign/editor.h"
#include "engine/ttnn/beam/eviction.h"
#include "engine/ttnn/global/residency_search.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kMostOps = 60;
constexpr std::int64_t kMostNodes = 20000;

class Residents {
public:
    Residents(Evaluator& evaluator, Assignment assignment)
        : evaluator_(evaluator), a_(std::move(assignment)), editor_(evaluator, a_), cost_(evaluator) {}

    Assignment run() {
        keepAll();
        state();
        const ResidencyChoice choice = chooseResidents(problem_, kMostNodes);
        for (std::size_t t = 0; t < choice.stays.size(); ++t)
            if (!choice.stays[t]) editor_.evict(ops_[t], 0);
        editor_.tidyCopies();
        evictUntilFits(evaluator_, a_);
        return std::move(a_);
    }

private:
    void keepAll() {
        for (const OperationId op : a_.order)
            if (a_.ops[op.at()].copy >= 0) editor_.keep(op);
        editor_.tidyCopies();
    }
    /// A tensor per result in L1, with what it costs to take it away, and the room beside all others.
    void state() {
        (void)cost_(a_);
        const auto& items = cost_.items();
        const auto& slots = cost_.tensors();
        std::vector<int> tensorOf(slots.size(), -1);
        for (const OperationId op : a_.order) {
            const ValueId result = evaluator_.function().resultOf(op);
            const int slot = result.isValid() ? cost_.slotOf(result) : -1;
            if (slot < 0 || evaluator_.flow().readers(op).empty()) continue;
            int& tensor = tensorOf[static_cast<std::size_t>(slot)];
            if (tensor >= 0) continue;  // a view of it
            tensor = static_cast<int>(ops_.size());
            ops_.push_back(op);
            problem_.tensors.push_back({slots[static_cast<std::size_t>(slot)].bytes, lossOf(op), {}});
        }
        for (std::size_t i = 0; i < items.size(); ++i) {
            std::int64_t room = evaluator_.limit() - items[i].answer.need;
            for (std::size_t s = 0; s < slots.size(); ++s) {
                const int at = static_cast<int>(i);
                const bool isOwn = std::ranges::find(items[i].own, static_cast<int>(s)) != items[i].own.end();
                if (isOwn || at < slots[s].first || at > slots[s].last) continue;
                if (tensorOf[s] >= 0)
                    problem_.tensors[static_cast<std::size_t>(tensorOf[s])].positions.push_back(at);
                else
                    room -= slots[s].bytes;
            }
            problem_.room.push_back(room);
        }
    }
    double lossOf(OperationId op) {
        editor_.begin();
        editor_.evict(op, 0);
        const double ns = editor_.change().ns;
        editor_.rollBack();
        return std::max(0.0, ns);
    }

    Evaluator& evaluator_;
    Assignment a_;
    AssignmentEditor editor_;
    AssignmentCost cost_;
    ResidencyProblem problem_;
    std::vector<OperationId> ops_;  ///< by tensor
};

}  // namespace

bool keepBestResidents(Evaluator& evaluator, Candidate& best, std::int64_t floor) {
    if (best.assignment.order.size() > kMostOps) return false;
    Candidate trial{Residents(evaluator, best.assignment).run(), {}};
    trial.evaluation = AssignmentCost(evaluator)(trial.assignment);
    if (!isBetter(trial.evaluation, best.evaluation, floor)) return false;
    best = std::move(trial);
    return true;
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/layer_search.h"

#include "engine/base/random.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace memplan::torchwright {
namespace {

constexpr std::int64_t kMovesBetweenChecks = 2048;
constexpr std::size_t kMostMoved = 24;
constexpr double kHot = 0.25, kCold = 0.004;  ///< of the excess of one layer

class Search {
public:
    Search(const UnitModel& model, const SearchEffort& effort, const AskProof& askProof, const RunControl& control)
        : model_(model), effort_(effort), askProof_(askProof), control_(control), random_(effort.seed) {
        out_.trace.measure = "layers_saved";
        out_.trace.stepUnit = "moves";
    }

    LayerSearchResult run(const LayerPlan& start, int bound) {
        bound_ = bound;
        LayerPlan best = isSchedule(start) ? start : repaired(start);
        if (best.layers > 0) out_.trace.note(0, 0);
        step_ = std::max(1, best.layers / 16);
        while (best.layers > bound_ && shorten(best))
            out_.trace.note(out_.moves, start.layers - best.layers);
        if (out_.plan.layers > 0) out_.plan = settled(out_.plan);
        out_.trace.steps = out_.moves;
        if (bound_ <= start.layers) out_.trace.bound = start.layers - bound_;
        out_.trace.end = endWord(best.layers > 0 && best.layers <= bound_);
        return std::move(out_);
    }

private:
    [[nodiscard]] std::string endWord(bool isProved) const {
        if (isProved) return "proved";
        return control_.shouldStop() ? "time_limit" : "steps_done";
    }

    [[nodiscard]] bool isSchedule(const LayerPlan& plan) const {
        Assignment assignment(model_, plan.layers);
        assignment.fit(plan.layerOf, plan.layers);
        return assignment.isFeasible();
    }

    /// A start that is overfull, brought into its layers; nothing where that fails.
    LayerPlan repaired(const LayerPlan& start) {
        out_.plan = reach(start, start.layers, 1);
        if (out_.plan.layers == 0) out_.plan = reach(start, start.layers, effort_.tries);
        return out_.plan;
    }

    /// Some layers fewer, at last one; false where the search is over.
    bool shorten(LayerPlan& best) {
        step_ = std::min(step_, best.layers - bound_);
        LayerPlan found = reach(best, best.layers - step_, 1);
        if (found.layers == 0 && step_ > 1) {
            step_ = std::max(1, step_ / 4);
            return true;
        }
        if (found.layers == 0) found = proved(best.layers - 1);
        if (bound_ == best.layers) return false;
        if (found.layers == 0) found = reach(best, best.layers - 1, effort_.tries);
        if (found.layers == 0) return false;
        best = out_.plan = std::move(found);
        return true;
    }

    /// What the proof finds, where it holds cancels too; it may raise the bound.
    LayerPlan proved(int layers) {
        const LayerAnswer answer = askProof_(layers);
        if (answer.isRuledOut) bound_ = layers + 1;
        const LayerPlan plan{layers, answer.layerOf};
        return !plan.layerOf.empty() && isSchedule(plan) ? plan : LayerPlan{};
    }

    /// Tries for this number of layers, more than one after a short one that failed; nothing where all fail.
    LayerPlan reach(const LayerPlan& from, int layers, int tries) {
        Assignment assignment(model_, layers);
        if (!assignment.isLongEnough()) return {};
        std::int64_t moves = tries > 1 ? 2 * effort_.movesOfTry : effort_.movesOfTry;
        for (int i = tries > 1 ? 1 : 0; i < tries && !control_.shouldStop(); ++i, moves *= 2) {
            assignment.fit(from.layerOf, layers);
            if (anneal(assignment, moves)) return {layers, assignment.layerOf()};
        }
        return {};
    }

    /// Values held no longer than need be: moves that hold fewer columns and leave no layer overfull.
    LayerPlan settled(const LayerPlan& plan) {
        Assignment a(model_, plan.layers);
        a.fit(plan.layerOf, plan.layers);
        const std::int64_t most = out_.moves + effort_.movesOfTry;
        bool isBetter = true;
        while (isBetter) {
            isBetter = false;
            for (std::size_t u = 0; u < model_.units.size(); ++u) {
                if (out_.moves >= most || control_.shouldStop()) return {plan.layers, a.layerOf()};
                isBetter = settleUnit(a, static_cast<int>(u)) || isBetter;
            }
        }
        return {plan.layers, a.layerOf()};
    }

    bool anneal(Assignment& a, std::int64_t moves) {
        const double cooling = std::log(kCold / kHot);
        double heat = kHot;
        for (std::int64_t i = 0; i < moves && !a.isFeasible(); ++i, ++out_.moves) {
            if (i % kMovesBetweenChecks == 0) {
                if (control_.shouldStop()) return a.isFeasible();
                heat = kHot * std::exp(cooling * static_cast<double>(i) / static_cast<double>(moves));
                control_.progress(std::to_string(a.layers()) + " layers", static_cast<double>(i),
                                  static_cast<double>(moves));
            }
            const double before = a.excess();
            const int unit = pickUnit(a);
            if (!a.move(unit, pickLayer(a, unit), kMostMoved)) continue;
            const double worse = a.excess() - before;
            if (worse > 0 && random_.fraction() >= std::exp(-worse / heat)) a.undo();
        }
        return a.isFeasible();
    }

    /// More often one of an overfull layer.
    int pickUnit(const Assignment& a) {
        const auto any = [&] { return static_cast<int>(random_.below(model_.units.size())); };
        int unit = any();
        if (random_.below(2) == 0) return unit;
        for (int i = 0; i < 6 && !a.isOverfull(a.layerOf()[static_cast<std::size_t>(unit)]); ++i)
            unit = any();
        return unit;
    }

    /// A neighbouring layer or any other of the unit's window.
    int pickLayer(const Assignment& a, int unit) {
        const int first = a.firstLayer(unit), last = a.lastLayer(unit);
        const int now = a.layerOf()[static_cast<std::size_t>(unit)];
        if (random_.below(2) == 0)
            return first + static_cast<int>(random_.below(static_cast<std::uint64_t>(last - first) + 1));
        const int step = 1 + static_cast<int>(random_.below(2));
        return std::clamp(random_.below(2) == 0 ? now - step : now + step, first, last);
    }

    bool settleUnit(Assignment& a, int unit) {
        bool isBetter = false;
        for (int layer = a.firstLayer(unit); layer <= a.lastLayer(unit); ++layer) {
            if (layer == a.layerOf()[static_cast<std::size_t>(unit)]) continue;
            const std::int64_t held = a.heldColumns();
            if (!a.move(unit, layer, kMostMoved)) continue;
            ++out_.moves;
            if (a.isFeasible() && a.heldColumns() < held) {
                isBetter = true;
            } else {
                a.undo();
            }
        }
        return isBetter;
    }

    const UnitModel& model_;
    const SearchEffort& effort_;
    const AskProof& askProof_;
    const RunControl& control_;
    Random random_;
    int bound_ = 0, step_ = 1;
    LayerSearchResult out_;
};

}  // namespace

LayerSearchResult searchLayers(const UnitModel& model, const LayerPlan& start, int bound, const SearchEffort& effort,
                               const AskProof& askProof, const RunControl& control) {
    return Search(model, effort, askProof, control).run(start, bound);
}

}  // namespace memplan::torchwright

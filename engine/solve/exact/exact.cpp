// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/exact.h"

#include "engine/solve/annealing/annealing.h"
#include "engine/solve/exact/order_search.h"
#include "engine/solve/exact/part_selection.h"
#include "engine/solve/exact/search.h"
#include "engine/solve/exact/selection.h"
#include "engine/solve/exact/stacking.h"
#include "engine/solve/exact/units.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/problem/bounds.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace memplan::solve {

namespace {

constexpr std::int64_t kRefineNodes = 20'000;  // for peak and addresses, after the value is proved
constexpr std::size_t kAnnealFrom = 12;        // smaller problems are searched through in no time
constexpr std::size_t kAnnealTo = 200;
constexpr std::size_t kStackFrom = 25;      // below, the search over all choices is as quick and lowers the peak too
constexpr std::size_t kSelectFrom = 13;     // below, the search over all choices proves everything
constexpr std::size_t kRelaxItems = 1'000;  // above, the relaxation takes longer than all the rest
constexpr std::size_t kSelectTo = 300;      // above, its branch and bound does
constexpr std::int64_t kGoodEnough = 125;   // a plan this part of the bound below it is good enough to prove first
constexpr std::int64_t kNearBound = 100;    // one farther below it is worth another try before
constexpr std::int64_t kLastOrders = 6;     // times the usual work where nothing else helped
constexpr std::size_t kSearchItems = 40;    // above, the search over all choices adds nothing to the selection
constexpr std::size_t kRefineItems = 100;   // above, lowering the peak by search leads nowhere

/// Plans of other solvers: the search starts from the best of them, so `exact` is never worse than one.
/// Always whole: a deadline that passed before leaves these as the result.
Result<std::vector<Solution>> startPlans(const Problem& problem, RunControl control) {
    control.deadline.reset();
    std::vector<Solution> plans;
    const auto add = [&](Result<Solution> r) {
        if (r) plans.push_back(std::move(r).value());
        return r.ok();
    };
    bool all = add(placeGreedily(problem, control));
    for (const Ordering ordering : {Ordering::Lifetime, Ordering::Scored}) {
        for (const Fit fit : {Fit::First, Fit::Best})
            all = all && add(placeInOrder(problem, fit, ordering, control));
    }
    if (!all) return cancelledError();
    return plans;
}

/// `plan` seen by one part.
PartPlan planOfPart(const Part& part, const Solution& plan) {
    PartPlan result;
    result.value = 0;
    result.peak = 0;
    result.addressSum = 0;
    result.slotOf.assign(part.items.size(), -1);
    for (const PartItem& item : part.items) {
        const std::optional<Address>& address = plan.addresses[static_cast<std::size_t>(item.position)];
        result.address.push_back(address ? *address : PartPlan::kNone);
        if (!address) continue;
        result.value += item.value;
        result.peak = std::max(result.peak, *address + item.size);
        result.addressSum += *address;
    }
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        const int parent = plan.inPlaceParent[static_cast<std::size_t>(part.items[k].position)];
        for (const int p : part.items[k].parents) {
            if (part.items[static_cast<std::size_t>(p)].position == parent) result.slotOf[k] = p;
        }
    }
    return result;
}

class ExactRun {
public:
    ExactRun(const Problem& problem, const ExactOptions& options, const RunControl& control)
        : problem_(problem), options_(options), control_(control), parts_(separableParts(problem, options.goal)) {
        result_.solution.addresses.resize(problem.items.size());
        result_.solution.inPlaceParent.assign(problem.items.size(), -1);
        result_.solution.status = Status::Optimal;
        known_.assign(parts_.size(), 0);
    }

    Result<ExactResult> run() {
        placeEmptyBuffers();
        placeFixedBuffers();
        total_ = result_.value;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            isImpossible_ = false;
            current_ = i;
            if (!placeWholePart(parts_[i])) {
                if (!starts_) {
                    Result<std::vector<Solution>> starts = startPlans(problem_, control_);
                    if (!starts) return std::move(starts).error();
                    starts_ = std::move(starts).value();
                    noteStarts();
                }
                solvePart(parts_[i], *starts_);
            }
            if (control_.cancelled()) return cancelledError();
            control_.progress("exact", static_cast<double>(i + 1), static_cast<double>(parts_.size()));
        }
        distrustGaps();
        result_.solution.upperBoundBytes = bytesBound();
        result_.solution.search = trace();
        return std::move(result_);
    }

private:
    // ---- the way to the result (SearchTrace) -------------------------------------------------------------

    /// The current part is worth so much now, after so many steps in all.
    void note(std::int64_t value, std::int64_t step) {
        if (value <= known_[current_]) return;
        total_ += value - known_[current_];
        known_[current_] = value;
        trace_.note(step, total_);
    }

    /// What the plans of other solvers are worth in the parts still to come: parts do not disturb each other.
    void noteStarts() {
        for (std::size_t i = current_; i < parts_.size(); ++i) {
            std::int64_t best = 0;
            for (const Solution& s : *starts_) {
                std::int64_t value = 0;
                for (const PartItem& item : parts_[i].items)
                    value += s.addresses[static_cast<std::size_t>(item.position)] ? item.value : 0;
                best = std::max(best, value);
            }
            total_ += best - known_[i];
            known_[i] = best;
        }
        trace_.note(steps_, total_);
    }

    [[nodiscard]] SearchTrace trace() {
        trace_.measure = options_.goal == Goal::Bytes     ? "pinned_bytes"
                         : options_.goal == Goal::Traffic ? "saved_traffic_bytes"
                                                          : "quality";
        trace_.stepUnit = "steps";
        trace_.steps = steps_;
        trace_.bound = result_.upperBound;
        trace_.end = result_.solution.status == Status::Optimal ? "proved"
                     : control_.timedOut()                      ? "time_limit"
                                                                : "node_limit";
        trace_.note(steps_, result_.value);
        return std::move(trace_);
    }

    /// Buffers of no bytes never conflict (chapter 8).
    void placeEmptyBuffers() {
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const Item& item = problem_.items[i];
            if (!problem_.isCandidate(item) || item.size > 0 || item.onlyInParentSlot) continue;
            result_.solution.addresses[i] = 0;
        }
    }

    /// Buffers with a given address (4.1) are part of every plan.
    void placeFixedBuffers() {
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const Item& item = problem_.items[i];
            if (!problem_.isCandidate(item) || !item.fixedAddress) continue;
            result_.solution.addresses[i] = item.fixedAddress;
            if (item.size == 0) continue;
            result_.value += valueOf(item, options_.goal);
            result_.upperBound += valueOf(item, options_.goal);
        }
    }

    /// True when a hint (4.1) restricts where items of the part may stand. Stacking knows only sizes and lifetimes;
    /// such a part is left to the search over all choices, which keeps to them.
    [[nodiscard]] bool isHinted(const Part& part) const {
        const bool hasOwn = std::any_of(part.items.begin(), part.items.end(), [&](const PartItem& i) {
            return i.onlyInParentSlot || i.last != part.capacity - i.size;
        });
        if (hasOwn) return true;
        return std::any_of(problem_.items.begin(), problem_.items.end(), [&](const Item& fixed) {
            if (!fixed.fixedAddress || fixed.size == 0 || !problem_.isCandidate(fixed)) return false;
            return std::any_of(part.items.begin(), part.items.end(), [&](const PartItem& i) {
                return i.life.overlaps({fixed.start, fixed.liveEnd()});
            });
        });
    }

    /// Larger parts that may fit as a whole; of any size when every buffer has to be placed.
    bool placeWholePart(const Part& part) {
        const bool isLarge = part.items.size() >= kStackFrom;
        if ((!isLarge && !options_.mustPlaceAll) || isHinted(part)) return false;
        std::optional<PartPlan> plan = placeWhole(part);
        if (!plan) return false;
        if (part.hasAllUnits && part.items.size() <= kRefineItems) {
            PartSearch search(part, control_);
            (void)search.refine(*plan, kRefineNodes);
            steps_ += search.nodes();
        }
        note(plan->value, steps_);
        adopt(part, *plan);
        result_.upperBound += plan->value;
        return true;
    }

    /// A placement of every item without handing any slot on; nullopt when none was found.
    std::optional<PartPlan> placeWhole(const Part& part) {
        const std::int64_t maxNodes = options_.mustPlaceAll ? options_.maxFitNodes : options_.maxStackingNodes;
        const Stacking stacking = stackAll(shapesOf(problem_, part), maxNodes, control_);
        steps_ += stacking.nodes;
        isImpossible_ = stacking.end == StackingEnd::Impossible && !hasHandoffs(part);
        if (stacking.end != StackingEnd::Placed) return std::nullopt;
        std::vector<int> all(part.items.size());
        std::iota(all.begin(), all.end(), 0);
        return planOfSet(part, all, stacking.address);
    }

    void solvePart(const Part& part, const std::vector<Solution>& starts) {
        PartPlan best;
        for (const Solution& s : starts) {
            PartPlan plan = planOfPart(part, s);
            if (plan.betterThan(best)) best = std::move(plan);
        }
        PartSearch search(part, control_);
        std::int64_t bound = search.rootBound();
        const bool isRelaxed = part.items.size() <= kRelaxItems;
        if (isRelaxed) bound = std::min(bound, relaxedBound(part));
        if (isImpossible_) bound = std::min(bound, allButTheLeast(part));
        if (isImpossible_ && options_.mustPlaceAll) return adoptUnproved(part, best, bound);
        const bool hinted = isHinted(part);
        bool isProved = best.value >= bound;
        const bool isSelected = isRelaxed && part.items.size() >= kSelectFrom && !hasHandoffs(part) && !hinted;
        if (!isProved && isSelected) isProved = selectItems(part, best, bound);
        if (!isProved && !isSelected) considerAnnealing(part, best);
        isProved = isProved || best.value >= bound;
        const bool mayProve = part.hasAllUnits && (hasHandoffs(part) || hinted || part.items.size() <= kSearchItems ||
                                                   best.value < bound - bound / 100);
        if (!isProved && mayProve) {
            isProved = search.maximise(best, nodesFor(part)) == SearchEnd::Proved;
            take(search.found(), search.nodes());
        }
        if (isProved && part.hasAllUnits && part.items.size() <= kRefineItems) {
            (void)search.refine(best, kRefineNodes);
            steps_ += search.nodes();
        }
        if (!isProved) return adoptUnproved(part, best, bound);
        adopt(part, best);
        result_.upperBound += best.value;
    }

    /// Good plans first, then a short proof, which many parts need no more than; what is left goes to both in turn.
    /// True when `best` is proved.
    bool selectItems(const Part& part, PartPlan& best, std::int64_t& bound) {
        OrderSearch orders(problem_, part, control_);
        PartSelection selection(problem_, part, options_, control_);
        const bool isSmall = part.items.size() <= kSelectTo;
        const auto raise = [&](std::int64_t goal, std::int64_t nodes) {
            if (best.value >= goal || !isSmall) return;
            selection.raise(best, goal, nodes);
            take(selection.found(), selection.nodes());
        };
        bool isProved = false;
        const auto prove = [&](std::int64_t pivots, bool isThrifty) {
            if (isProved || best.value >= bound || !isSmall) return;
            const SelectionResult selected = selection.prove(best, pivots, isThrifty);
            take(selection.found(), selection.nodes());
            isProved = selected.isProved;
            bound = std::min(bound, selected.upperBound);
        };
        bool doCutsHelp = true;
        const auto proveByProgramme = [&](std::int64_t share) {
            if (isProved || best.value >= bound || !isSmall || !doCutsHelp) return;
            const std::int64_t found = selection.proveByProgramme(best, options_.maxProgrammeNodes / share,
                                                                  options_.maxProgrammeSteps / share);
            take(selection.found(), selection.nodes());
            doCutsHelp = found < bound;
            bound = std::min(bound, found);
        };
        const auto goal = bound - bound / kGoodEnough;
        raise(goal, options_.maxRoomStacking / 4);
        searchOrders(orders, best, bound);
        raise(bound - bound / kNearBound, options_.maxRoomStacking / 4);
        prove(options_.maxPivots / 10, true);
        proveByProgramme(10);  // cuts close most gaps at once
        if (!isProved) raise(goal, options_.maxRoomStacking / 2);
        prove(options_.maxPivots, false);  // other sets of the same value
        if (!isProved) searchOrders(orders, best, bound);
        if (!isProved) raise(bound, options_.maxRoomStacking);
        if (!isProved) raise(goal, options_.maxRoomStacking);  // only where the plan is still far from the bound
        if (!isProved && isSmall && best.value < bound) {
            selection.raiseOtherwise(best, bound, options_.maxRoomStacking / 4);
            take(selection.found(), selection.nodes());
        }
        if (!isProved) searchOrders(orders, best, bound, kLastOrders);
        proveByProgramme(1);
        return isProved || best.value >= bound;
    }

    [[nodiscard]] std::int64_t relaxedBound(const Part& part) const {
        return static_cast<std::int64_t>(relaxedValue(part, control_) * (1.0 + 1e-12) + 1e-3);
    }

    void searchOrders(OrderSearch& orders, PartPlan& best, std::int64_t bound, std::int64_t rounds = 1) {
        if (best.value >= bound || control_.shouldStop()) return;
        orders.improve(best, bound, rounds * options_.maxOrderWork, 1);
        take(orders.found(), orders.moves());
    }

    /// What a search found, and the nodes that it took.
    void take(const std::vector<SearchPoint>& found, std::int64_t nodes) {
        for (const SearchPoint& p : found)
            note(p.value, steps_ + p.step);
        steps_ += nodes;
    }

    void adoptUnproved(const Part& part, const PartPlan& best, std::int64_t bound) {
        adopt(part, best);
        result_.upperBound += bound;
        result_.solution.status = Status::Stopped;
    }

    /// Largest value of a plan that leaves something out.
    [[nodiscard]] static std::int64_t allButTheLeast(const Part& part) {
        std::int64_t all = 0;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const PartItem& item : part.items) {
            all += item.value;
            least = std::min(least, item.value);
        }
        return all - least;
    }

    [[nodiscard]] static bool hasHandoffs(const Part& part) {
        return std::any_of(part.items.begin(), part.items.end(), [](const PartItem& i) { return !i.parents.empty(); });
    }

    /// Only where nothing is proved: it takes longer than the rest.
    void considerAnnealing(const Part& part, PartPlan& best) {
        const std::size_t n = problem_.items.size();
        if (n < kAnnealFrom || n > kAnnealTo || control_.shouldStop()) return;
        if (!annealed_) {
            const Result<Solution> solved = placeByAnnealing(problem_, {}, control_);
            if (!solved) return;
            annealed_ = solved.value();
            if (annealed_->search) steps_ += annealed_->search->steps;
        }
        PartPlan plan = planOfPart(part, *annealed_);
        if (plan.betterThan(best)) best = std::move(plan);
        note(best.value, steps_);
    }

    /// Every part gets its share, and fewer nodes the more one of them costs.
    [[nodiscard]] std::int64_t nodesFor(const Part& part) const {
        constexpr std::size_t kCheapItems = 40;
        const auto cost =
            static_cast<std::int64_t>(parts_.size() * std::max<std::size_t>(1, part.items.size() / kCheapItems));
        return std::max<std::int64_t>(options_.maxNodes / cost, std::min<std::int64_t>(options_.maxNodes, 2'000));
    }

    void adopt(const Part& part, const PartPlan& plan) {
        result_.value += plan.value;
        for (std::size_t k = 0; k < part.items.size(); ++k) {
            const auto position = static_cast<std::size_t>(part.items[k].position);
            if (plan.address[k] != PartPlan::kNone) result_.solution.addresses[position] = plan.address[k];
            if (plan.slotOf[k] < 0) continue;
            result_.solution.inPlaceParent[position] = part.items[static_cast<std::size_t>(plan.slotOf[k])].position;
        }
    }

    /// The search takes a buffer with dead ranges as live throughout, so leaving one out proves nothing.
    void distrustGaps() {
        std::int64_t total = 0;
        bool hasGaps = false;
        for (const Item& item : problem_.items) {
            if (!problem_.isCandidate(item)) continue;
            hasGaps = hasGaps || !item.gaps.empty();
            total += valueOf(item, options_.goal);
        }
        if (!hasGaps || result_.value == total) return;
        result_.solution.status = Status::Stopped;
        result_.upperBound = total;
        isBoundTrusted_ = false;
    }

    [[nodiscard]] Bytes bytesBound() const {
        const Bytes general = bounds(problem_).pinnedUpperBound;
        if (options_.goal != Goal::Bytes || !isBoundTrusted_) return general;
        return std::min(general, result_.upperBound);
    }

    const Problem& problem_;
    const ExactOptions& options_;
    const RunControl& control_;
    std::vector<Part> parts_;
    std::optional<std::vector<Solution>> starts_;  ///< made when the first part needs them
    std::optional<Solution> annealed_;
    ExactResult result_;
    SearchTrace trace_;
    std::vector<std::int64_t> known_;  ///< per part: value of the best plan known so far
    std::int64_t total_ = 0;           ///< of these and of what is placed beforehand
    std::int64_t steps_ = 0;           ///< nodes of all searches, moves of the annealing
    std::size_t current_ = 0;          ///< part at hand
    bool isImpossible_ = false;        ///< the part at hand is proved not to fit as a whole
    bool isBoundTrusted_ = true;
};

}  // namespace

Result<ExactResult> solveExactly(const Problem& problem, const ExactOptions& options, const RunControl& control) {
    return ExactRun(problem, options, control).run();
}

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
#include "solve/exact/exact.h"

#include "solve/annealing.h"
#include "solve/bounds.h"
#include "solve/exact/search.h"
#include "solve/exact/units.h"
#include "solve/heuristics.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace memplan::solve {

namespace {

constexpr std::int64_t kRefineNodes = 20'000;  // for peak and addresses, after the value is proved
constexpr std::size_t kAnnealFrom = 12;        // smaller problems are searched through in no time
constexpr std::size_t kAnnealTo = 200;

/// Plans of other solvers: the search starts from the best of them, so `exact` is never worse than one.
Result<std::vector<Solution>> startPlans(const Problem& problem, const RunControl& control) {
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
    const std::size_t n = problem.items.size();
    if (all && n >= kAnnealFrom && n <= kAnnealTo) all = add(placeByAnnealing(problem, {}, control));
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
    }

    Result<ExactResult> run() {
        const Result<std::vector<Solution>> starts = startPlans(problem_, control_);
        if (!starts) return starts.error();
        placeEmptyBuffers();
        placeFixedBuffers();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            solvePart(parts_[i], starts.value());
            if (control_.cancelled()) return cancelledError();
            control_.progress("exact", static_cast<double>(i + 1), static_cast<double>(parts_.size()));
        }
        distrustGaps();
        result_.solution.upperBoundBytes = bytesBound();
        return std::move(result_);
    }

private:
    /// Buffers of no bytes never conflict (chapter 8).
    void placeEmptyBuffers() {
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            const Item& item = problem_.items[i];
            if (problem_.isCandidate(item) && item.size == 0) result_.solution.addresses[i] = 0;
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

    void solvePart(const Part& part, const std::vector<Solution>& starts) {
        PartPlan best;
        for (const Solution& s : starts) {
            PartPlan plan = planOfPart(part, s);
            if (plan.betterThan(best)) best = std::move(plan);
        }
        PartSearch search(part, control_);
        const std::int64_t bound = search.rootBound();
        bool isProved = best.value >= bound;
        if (!isProved && part.hasAllUnits) isProved = search.maximise(best, nodesFor(part)) == SearchEnd::Proved;
        if (isProved && part.hasAllUnits) search.refine(best, kRefineNodes);
        adopt(part, best);
        result_.upperBound += isProved ? best.value : bound;
        if (!isProved) result_.solution.status = Status::Stopped;
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
    ExactResult result_;
    bool isBoundTrusted_ = true;
};

}  // namespace

std::int64_t valueOf(const Item& item, Goal goal) {
    if (goal == Goal::Bytes) return item.size;
    const auto uses = static_cast<std::int64_t>(item.uses.size());
    if (goal == Goal::Quality) return (2 * uses + (item.firstUseIsRead ? 0 : 1)) * item.size;
    if (item.spillTraffic) return *item.spillTraffic;
    // A graph input must be read once to get on chip; without a use list, one write and one read are certain.
    if (item.firstUseIsRead) return std::max<std::int64_t>(uses - 1, 0) * item.size;
    return std::max<std::int64_t>(uses, item.uses.empty() ? 2 : 1) * item.size;
}

Result<ExactResult> solveExactly(const Problem& problem, const ExactOptions& options, const RunControl& control) {
    return ExactRun(problem, options, control).run();
}

}  // namespace memplan::solve

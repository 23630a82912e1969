// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/part_selection.h"

#include "engine/base/numeric.h"
#include "engine/solve/exact/selection_programme.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace memplan::solve {

namespace {

constexpr double kMostMissing = 0.2;  // of the room
constexpr double kLeastMissing = 0.0002;
constexpr double kAfterSuccess = 0.6;
constexpr double kAfterFailure = 1.2;
constexpr double kNothingBetter = 0.8;
constexpr int kMostUndecided = 6;  // sets in a row: then placing full sets leads nowhere
constexpr int kMaxTries = 60;
constexpr double kThriftToProve = 1e-8;  // settles ties, and costs the bound less than one byte of 100 MB
constexpr std::int64_t kClimbSelections = 200;
constexpr std::int64_t kClimbPivots = 1'000;
constexpr std::int64_t kConflictNodes = 300;

}  // namespace

StackingProblem shapesOf(const Problem& problem, const Part& part) {
    StackingProblem stacking{problem.capacity, part.alignment, part.columns, {}};
    for (const PartItem& item : part.items) {
        StackShape shape;
        shape.tallest = item.size;
        shape.alignment = problem.alignmentOf(problem.items[static_cast<std::size_t>(item.position)]);
        for (std::size_t c = item.firstColumn; c < item.endColumn; ++c)
            shape.cells.push_back({c, item.padded});
        stacking.shapes.push_back(std::move(shape));
    }
    return stacking;
}

PartPlan planOfSet(const Part& part, const std::vector<int>& set, const std::vector<Address>& address) {
    PartPlan plan;
    plan.address.assign(part.items.size(), PartPlan::kNone);
    plan.slotOf.assign(part.items.size(), -1);
    plan.value = 0;
    plan.peak = 0;
    plan.addressSum = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
        const PartItem& item = part.items[static_cast<std::size_t>(set[i])];
        plan.address[static_cast<std::size_t>(set[i])] = address[i];
        plan.value += item.value;
        plan.peak = std::max(plan.peak, address[i] + item.size);
        plan.addressSum += address[i];
    }
    return plan;
}

PartSelection::PartSelection(const Problem& problem, const Part& part, const ExactOptions& options,
                             const RunControl& control)
    : part_(part), options_(options), control_(control), shapes_(shapesOf(problem, part)),
      stackingNodes_(options.maxSelectionStacking) {}

void PartSelection::raise(PartPlan& best, std::int64_t goal, std::int64_t maxNodes) {
    take(best);
    climb(goal, maxNodes);
}

void PartSelection::raiseOtherwise(PartPlan& best, std::int64_t goal, std::int64_t maxNodes) {
    take(best);
    missing_ = kFirstMissing;
    thrift_ = 0.0;
    climb(goal, maxNodes);
    thrift_ = kThriftToClimb;
}

void PartSelection::take(PartPlan& best) {
    best_ = &best;
    value_ = best.value;
    nodes_ = 0;
    found_.clear();
}

SelectionResult PartSelection::prove(PartPlan& best, std::int64_t maxPivots, bool isThrifty) {
    take(best);
    undecided_ = 0;
    stackingNodes_ = options_.maxSelectionStacking;
    return search({options_.maxSelections, maxPivots, 0, isThrifty ? kThriftToProve : 0.0});
}

std::int64_t PartSelection::proveByProgramme(PartPlan& best, std::int64_t maxNodes, std::int64_t maxSteps) {
    take(best);
    std::vector<int> known;
    for (std::size_t k = 0; k < best.address.size(); ++k) {
        if (best.address[k] != PartPlan::kNone) known.push_back(static_cast<int>(k));
    }
    const auto selected = selectByProgramme(part_, known, {maxNodes, maxSteps}, control_);
    if (!selected) return std::numeric_limits<std::int64_t>::max();
    nodes_ += selected->nodes;
    if (selected->value > value_) (void)adopt(selected->set, stack(selected->set, options_.maxSetNodes));
    return selected->upperBound;
}

/// The best set for a little less room than there is has some slack, which makes it easy to place, and is worth hardly
/// less. The room taken away shrinks after a set was placed and grows after one was not.
void PartSelection::climb(std::int64_t goal, std::int64_t maxNodes) {
    const std::int64_t end = stackingNodes_ - maxNodes;
    for (int tries = 0; tries < kMaxTries && stackingNodes_ > end && value_ < goal; ++tries) {
        if (missing_ < kLeastMissing || control_.shouldStop()) return;
        const auto room = static_cast<Bytes>(static_cast<double>(part_.capacity) * (1.0 - missing_));
        const std::vector<int> set = bestSetIn(alignDown(room, part_.alignment));
        if (set.empty()) {  // nothing better in so little room
            missing_ *= kNothingBetter;
            continue;
        }
        const bool isPlaced = adopt(set, stack(set, std::min(options_.maxSetNodes, stackingNodes_ - end)));
        missing_ = std::min(kMostMissing, missing_ * (isPlaced ? kAfterSuccess : kAfterFailure));
    }
}

/// By a short search; empty when it finds none that is worth more than the best plan.
std::vector<int> PartSelection::bestSetIn(Bytes room) {
    std::vector<int> best;
    std::int64_t value = value_;
    if (room <= 0) return best;
    const PlaceSet keep = [&](const std::vector<int>& set, std::vector<int>&) {
        best = set;
        value = std::accumulate(set.begin(), set.end(), std::int64_t{0}, [&](std::int64_t sum, int k) {
            return sum + part_.items[static_cast<std::size_t>(k)].value;
        });
        return SetEnd::Placed;
    };
    const SelectionLimits limits{kClimbSelections, kClimbPivots, room, thrift_};
    nodes_ += searchSelections(part_, value, limits, keep, control_).nodes;
    return best;
}

bool PartSelection::adopt(const std::vector<int>& set, const Stacking& placed) {
    if (placed.end != StackingEnd::Placed) return false;
    *best_ = planOfSet(part_, set, placed.address);
    value_ = best_->value;
    found_.push_back({nodes_, value_});
    return true;
}

SelectionResult PartSelection::search(const SelectionLimits& limits) {
    const PlaceSet placeSet = [this](const std::vector<int>& set, std::vector<int>& conflict) {
        return place(set, conflict);
    };
    const SelectionResult result = searchSelections(part_, value_, limits, placeSet, control_);
    nodes_ += result.nodes;
    return result;
}

Stacking PartSelection::stack(const std::vector<int>& set, std::int64_t maxNodes) {
    StackingProblem problem{shapes_.capacity, shapes_.grain, shapes_.columns, {}};
    for (const int k : set)
        problem.shapes.push_back(shapes_.shapes[static_cast<std::size_t>(k)]);
    Stacking result = stackAll(problem, maxNodes, control_);
    stackingNodes_ -= result.nodes;
    nodes_ += result.nodes;
    return result;
}

SetEnd PartSelection::place(const std::vector<int>& set, std::vector<int>& conflict) {
    if (stackingNodes_ <= 0 || undecided_ >= kMostUndecided) return SetEnd::Undecided;
    const Stacking placed = stack(set, std::min(options_.maxSetNodes, stackingNodes_));
    if (placed.end == StackingEnd::Impossible) {
        conflict = conflictIn(set);
        return SetEnd::Refused;
    }
    undecided_ = placed.end == StackingEnd::Placed ? 0 : undecided_ + 1;
    return adopt(set, placed) ? SetEnd::Placed : SetEnd::Undecided;
}

/// A set that cannot be placed without those of its items, from the ends of time inward, that do not matter.
std::vector<int> PartSelection::conflictIn(const std::vector<int>& set) {
    std::vector<int> kept = set;
    for (const bool fromEnd : {true, false}) {
        const auto key = [&](int k) {
            const PartItem& item = part_.items[static_cast<std::size_t>(k)];
            return fromEnd ? static_cast<std::int64_t>(item.firstColumn) : -static_cast<std::int64_t>(item.endColumn);
        };
        std::stable_sort(kept.begin(), kept.end(), [&](int a, int b) { return key(a) < key(b); });
        std::size_t possible = 0;  // that many first ones may fit
        std::size_t refused = kept.size();
        while (possible + 1 < refused && !control_.shouldStop()) {
            const std::size_t middle = (possible + refused) / 2;
            const std::vector<int> first(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(middle));
            const bool isRefused = stack(first, kConflictNodes).end == StackingEnd::Impossible;
            (isRefused ? refused : possible) = middle;
        }
        kept.resize(refused);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace memplan::solve

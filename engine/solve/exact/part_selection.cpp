// SPDX-License-Identifier: Apache-2.0
#include "solve/exact/part_selection.h"

#include "base/numeric.h"

#include <algorithm>
#include <array>

namespace memplan::solve {

namespace {

constexpr std::array<int, 7> kEasierRoom{900, 930, 960, 975, 985, 992, 997};  // in thousandths
constexpr std::size_t kFirstRoom = 3;
constexpr std::int64_t kEasierSelections = 15;
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

SelectionResult PartSelection::improve(PartPlan& best) {
    best_ = &best;
    value_ = best.value;
    setNodes_ = options_.maxSetNodes;
    tryLessRoom();
    return search({options_.maxSelections, options_.maxPivots, 0});
}

/// Sets for a little less room than there is leave some slack, which makes them easy to place: a good start. More room
/// while that goes well, else less.
void PartSelection::tryLessRoom() {
    std::size_t next = kFirstRoom;
    const bool isEasy = tryRoom(kEasierRoom[next]);
    while (isEasy ? ++next < kEasierRoom.size() : next-- > 0) {
        if (tryRoom(kEasierRoom[next]) != isEasy) return;
    }
}

/// True when a set for that room was placed or the best known is worth as much.
bool PartSelection::tryRoom(int permille) {
    const Bytes room = alignDown(part_.capacity / 1000 * permille, part_.alignment);
    if (room <= 0) return false;
    const std::int64_t before = value_;
    const SelectionLimits limits{kEasierSelections, options_.maxPivots / 10, room};
    return search(limits).isProved || value_ > before;
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
    if (stackingNodes_ <= 0) return SetEnd::Undecided;
    const Stacking placed = stack(set, std::min(setNodes_, stackingNodes_));
    if (placed.end == StackingEnd::Impossible) {
        conflict = conflictIn(set);
        return SetEnd::Refused;
    }
    if (placed.end != StackingEnd::Placed) return SetEnd::Undecided;
    *best_ = planOfSet(part_, set, placed.address);
    value_ = best_->value;
    found_.push_back({nodes_, value_});
    return SetEnd::Placed;
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

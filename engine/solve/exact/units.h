// SPDX-License-Identifier: Apache-2.0
// One separable part of a problem as the exact search sees it: items in time columns, and the units that share one
// address because each member hands its slot to the next (scratchpad 8).
#pragma once

#include "engine/solve/exact/exact_options.h"

#include <cstddef>
#include <vector>

namespace memplan::solve {

struct PartItem {
    int position = 0;  ///< in Problem::items
    StepRange life;
    Bytes size = 0;    ///< > 0
    Bytes padded = 0;  ///< size rounded up to the common alignment
    std::int64_t value = 0;
    std::size_t firstColumn = 0;
    std::size_t endColumn = 0;
    Address last = 0;  ///< highest address allowed
    bool onlyInParentSlot = false;
    std::size_t handoffEnd = 0;  ///< in columns before this one it may stand in a parent's slot
    std::vector<int> parents;    ///< item numbers
    std::vector<int> children;
};

struct Unit {
    std::vector<int> members;  ///< item numbers, head of the chain first
    std::int64_t value = 0;
    Bytes tallest = 0;
    Bytes alignment = 1;
    std::size_t firstColumn = 0;
    std::vector<Bytes> height;  ///< per column from firstColumn on: largest member live there
    Address last = 0;           ///< highest address that all members may have
    Address anchor = -1;        ///< the slot of a fixed partner that it takes or hands over; -1 = rests anywhere
    /// A fixed buffer that one member meets in time, with the size of that member.
    struct Blocker {
        Address begin = 0;
        Address end = 0;
        Bytes member = 0;
    };
    std::vector<Blocker> blockers;
};

struct Part {
    Bytes capacity = 0;
    Bytes alignment = 1;  ///< divides every item's alignment
    std::size_t columns = 0;
    std::vector<PartItem> items;
    std::vector<Unit> units;  ///< singles first, in item order, then chains
    bool hasAllUnits = true;  ///< false when the chains were too many to list
    /// Per column: items live there by falling value per padded byte.
    std::vector<std::vector<int>> byDensity;
    /// Per column: first column that shares no item with it or an earlier one.
    std::vector<std::size_t> nextFree;
};

/// Splits the candidates of size > 0 wherever no lifetime crosses. Parts in time order.
[[nodiscard]] std::vector<Part> separableParts(const Problem& problem, Goal goal);

/// First column that the item needs for itself, a handed slot not counted.
[[nodiscard]] std::size_t firstOwnColumn(const PartItem& item);

}  // namespace memplan::solve

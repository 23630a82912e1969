// SPDX-License-Identifier: Apache-2.0
// Which buffers of one part to keep on chip, by value, before any address is known: the first step of the exact solver
// (performance-and-toolchain 5, "Exact solver").
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/units.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace memplan::solve {

/// The relaxation: items may be kept in part, and in no column more than the capacity. Rows of consecutive columns make
/// it a flow of `capacity` units along time, in which item i carries up to its bytes at its value per byte. The value
/// of the best fractional choice: no placement is worth more. When stopped before the end, the value of all items.
[[nodiscard]] double relaxedValue(const Part& part, const RunControl& control);

/// First column that the item needs for itself, a handed slot not counted.
[[nodiscard]] std::size_t firstOwnColumn(const PartItem& item);

enum class SetEnd { Placed, Refused, Undecided };

/// Called for sets (ascending item numbers) worth more than the best known, which it raises when it places one. After
/// Refused, `conflict` is a part of the set that cannot be placed either.
using PlaceSet = std::function<SetEnd(const std::vector<int>& set, std::vector<int>& conflict)>;

struct SelectionLimits {
    std::int64_t maxNodes = 0;
    std::int64_t maxPivots = 0;
    Bytes room = 0;  ///< takes the place of the capacity when above 0: less room gives sets that are easier to place
    /// Part of its value that an item live in all columns seems to lose while sets are compared. Where sizes are
    /// values, a great many sets are worth the same; those that take less of the memory are much easier to place.
    /// Bounds do not depend on it.
    double thrift = 0.0;
};

struct SelectionResult {
    std::int64_t upperBound = 0;  ///< no placement is worth more
    bool isProved = false;        ///< nothing better than what was placed or `best` is left
    std::int64_t nodes = 0;       ///< looked at
};

/// Branch and bound over the relaxation; calls `place` for sets that might fit and raise `best`.
[[nodiscard]] SelectionResult searchSelections(const Part& part, std::int64_t& best, const SelectionLimits& limits,
                                               const PlaceSet& place, const RunControl& control);

}  // namespace memplan::solve

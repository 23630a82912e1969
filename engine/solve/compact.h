// SPDX-License-Identifier: Apache-2.0
// Compaction of a placement (scratchpad 14.8): closes holes without moving anything upwards.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <vector>

namespace memplan::solve {

struct Compaction {
    Addresses addresses;       ///< parallel to Problem::items; null exactly where the given placement has null
    std::vector<int> lowered;  ///< items that moved, ascending
    Bytes peakBefore = 0, peakAfter = 0;  ///< highest address + size
};

/// Rests the placed buffers on each other in the order of their addresses (ties: input order). Buffers that handed a
/// slot on keep sharing one address and move together. `inPlaceParent`: the slot each item took over, -1 = none.
/// Items with `fixedAddress` stay where they are. `addresses` is legal (L1 - L4); then so is the result, and no address
/// is higher than before.
[[nodiscard]] Compaction compact(const Problem& problem, const Addresses& addresses,
                                 const std::vector<int>& inPlaceParent);

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// Why the packing had no room for a buffer: the gap that was left and who stood around it.
#pragma once

#include "engine/plan/plan.h"

#include <vector>

namespace memplan {

/// Free room for one buffer over its whole lifetime in the finished plan.
struct RoomFor {
    Bytes needed = 0;
    Bytes largestGap = 0;               ///< largest range that no neighbour touches during its lifetime
    Bytes capacityNeeded = 0;           ///< capacity at which it would fit above its neighbours
    std::vector<BufferId> neighbours;   ///< on chip while it lives, largest first
    std::vector<BufferId> singleMoves;  ///< each alone would make room by leaving, smallest first
};
[[nodiscard]] RoomFor roomFor(const Plan& plan, BufferId id);

}  // namespace memplan

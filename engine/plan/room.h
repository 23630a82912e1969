// SPDX-License-Identifier: Apache-2.0
// Why the packing had no room for a buffer: the gap that was left and who stood around it.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <vector>

namespace memplan {

struct TakenRange {
    Address begin = 0, end = 0;
    BufferId buffer;
};

/// The largest range that stays free beside others, from an aligned address on, and who stands around it.
struct LargestGap {
    Address begin = 0;
    Bytes size = 0;
    BufferId below, above;  ///< invalid: the gap begins at 0, or ends at the capacity
};
[[nodiscard]] LargestGap largestGap(std::vector<TakenRange> taken, Bytes capacity, Bytes alignment);

/// The same for a buffer of the plan over its whole life, beside all that is on chip then.
[[nodiscard]] LargestGap gapOverLife(const Plan& plan, BufferId id);

/// The step of a buffer's life that left it least room, as its reason names it.
struct TightestStep {
    Step step = 0;
    Bytes gap = 0;   ///< largest gap there
    Bytes free = 0;  ///< all free bytes there
};
/// Empty for what is on chip, or refused for other reasons than room.
[[nodiscard]] std::optional<TightestStep> tightestStep(const Plan& plan, BufferId id);

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

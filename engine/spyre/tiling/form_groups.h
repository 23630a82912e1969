// SPDX-License-Identifier: Apache-2.0
// Groups of a program: from its dimension hints or from manual groups, and which of them can become loops
// (spyre-coarse-tiling-and-bundle 2.4, 3.1).
#pragma once

#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Pointwise and reduction ops get loop attributes; others are carried along in a group.
[[nodiscard]] bool isTileable(const Op& op);

/// Output ranges of an op, outermost first, and the loop that walks each.
struct OutputRanges {
    std::vector<std::int64_t> extents;
    std::vector<int> loopOf;  ///< position in Op::loops, -1 for an extent of 1
};

/// nullopt when the op does not write its whole buffer with one loop for each dimension.
[[nodiscard]] std::optional<OutputRanges> outputRanges(const Program& program, const Op& op);

/// Loop of each output dimension, -1 for an extent of 1, also when the op writes slices of a full buffer.
[[nodiscard]] std::vector<int> outputLoops(const Program& program, const Op& op);

/// The group of one run of hinted ops: for each op and level the position of that level's dimension.
[[nodiscard]] std::vector<TileGroup> groupsFromHints(const Program& program, std::vector<std::vector<int>>& ignored);

/// Why the operations of a group cannot share a loop; nullopt when they can. One reason is that an op of it reduces
/// over what another one tiles: every iteration would see a part of the sum only.
[[nodiscard]] std::optional<GroupRefusal> whyNotLoop(const Program& program, const TileGroup& group);

}  // namespace memplan::spyre

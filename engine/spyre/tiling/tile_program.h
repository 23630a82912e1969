// SPDX-License-Identifier: Apache-2.0
// Applies coarse tiling to a program: stamps and divided ranges (3), then full buffers, copies and rewired
// writes (4) of spyre-coarse-tiling-and-bundle.
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/program.h"

#include <optional>
#include <vector>

namespace memplan::spyre {

/// A tile whose stick dimension holds no whole number of sticks (CT-026).
struct BrokenStick {
    OpId op;
    int dim = 0;
    std::int64_t extent = 0;
    int elemsPerStick = 0;
};

/// Stamps the ops of program.tileGroups, divides their ranges, their results and the indices between them.
/// CT-002 and CT-003 as group_forms.h says. Groups without ops only take a number.
[[nodiscard]] Result<std::vector<BrokenStick>> stampGroups(Program& program);

/// Decides and applies the propagation of every stamped op, fills program.propagation and empties
/// program.tileGroups. CT-004 and CT-005 for reductions.
[[nodiscard]] Result<void> propagateTiles(Program& program, bool copyWhenInputInternal);

/// Index over a buffer whose strides change, dimension by dimension; nullopt when a loop runs across
/// dimensions.
[[nodiscard]] std::optional<Index> rebased(const Index& index, const std::vector<LoopVar>& loops, const Buffer& from,
                                           const std::vector<std::int64_t>& toStride);

}  // namespace memplan::spyre

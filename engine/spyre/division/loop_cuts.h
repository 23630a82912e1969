// SPDX-License-Identifier: Apache-2.0
// Where the slices of a split loop lie in a tensor: equal parts of device dimensions, or not
// (spyre-layouts-and-work-division 14).
#pragma once

#include "engine/base/small_vector.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/program.h"

#include <cstdint>
#include <optional>
#include <span>

namespace memplan::spyre {

/// One device dimension in equal parts: slice i of the loop works on part i / every % split.
struct LoopCut {
    int dim = 0;
    std::int64_t split = 1;
    std::int64_t every = 1;      ///< slices of the loop that share a part before the next one begins
    std::int64_t first = 0;      ///< of the positions that are cut
    std::int64_t positions = 0;  ///< that are cut, 0 = the whole dimension
    friend bool operator==(const LoopCut&, const LoopCut&) = default;
};
using LoopCuts = SmallVector<LoopCut, 2>;

/// A loop of an op and its slices.
struct SplitLoop {
    std::size_t loop = 0;
    std::int64_t slices = 1;
    std::int64_t stickEps = 0;  ///< elements per stick when the loop counts sticks (8), 0 = it counts elements
};

/// The parts of `layout` that the slices of a split loop work on. A loop that runs over several dimensions (heads that
/// are groups of heads) cuts the outer ones first. `device` are the coordinates of `index`. nullopt when the slices are
/// no equal parts: another loop reaches over the border of a slice, or whole sticks of a ragged extent are more rows on
/// the first cores than on the last.
[[nodiscard]] std::optional<LoopCuts> loopCuts(const StickLayout& layout, const Coordinates& device,
                                               std::span<const LoopVar> loops, const Index& index, SplitLoop loop);

}  // namespace memplan::spyre

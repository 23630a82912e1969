// SPDX-License-Identifier: Apache-2.0
// What an index may be (spyre-layouts-and-work-division, end of chapter 3): whether the coordinates that are read off
// an index term by term name the element that the index means, for every iteration.
#pragma once

#include "engine/spyre/program.h"

#include <cstdint>
#include <span>
#include <string>

namespace memplan::spyre {

/// One dimension of an addressed shape, in elements of host storage.
struct StridedDim {
    std::int64_t size = 1;
    std::int64_t stride = 1;
};

/// True when the terms of `index` over loops of `extents` fill the dimensions without a carry from one into the next,
/// whatever the values of the loops, and no step is negative. The dimensions may stand in any order; those of one
/// position or of a stride below 1 hold nothing.
[[nodiscard]] bool fillsDimensions(std::span<const StridedDim> dims, std::span<const std::int64_t> extents,
                                   const Index& index);

/// True when the index lies inside the buffer for every iteration and fills its dimensions, those of host storage and
/// the sticks that its last dimension of more than one element is cut into.
[[nodiscard]] bool isPlainIndex(const Buffer& buffer, std::span<const std::int64_t> extents, const Index& index);

/// True when the index fills the dimensions of a device layout.
[[nodiscard]] bool fillsLayout(const StickLayout& layout, std::span<const LoopVar> loops, const Index& index);

/// The first buffer that `op` reads or writes through an index that is not plain; empty when it is a data-dependent
/// access, or all are plain.
[[nodiscard]] std::string notPlain(const Program& program, const Op& op);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// A tensor seen through strides: which buffer holds it and how its dimensions move through that
// buffer's host storage. The value that lets views and transposes vanish (inputs-and-interchange 6).
#pragma once

#include "engine/spyre/program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace memplan::spyre {

struct StridedView {
    BufferId buffer;
    std::vector<std::int64_t> shape;    ///< of the tensor
    std::vector<std::int64_t> strides;  ///< elements of the buffer's storage per step of each dimension
    std::int64_t offset = 0;            ///< elements

    /// Consecutive elements of the buffer in row-major order.
    [[nodiscard]] bool isDense() const;
    /// The same, from its first element on.
    [[nodiscard]] bool isContiguous() const { return offset == 0 && isDense(); }
};

[[nodiscard]] std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape);

/// The same elements under another shape, nullopt when no strides express it (a reshape of a
/// transposed tensor, for instance).
[[nodiscard]] std::optional<StridedView> reshaped(const StridedView& view, std::vector<std::int64_t> shape);

/// Whether readers can index the buffer through the view while it lies in its natural stick layout: the index has to
/// be plain (index_range.h), and
/// the innermost device coordinate must stay 0, one loop, or that loop modulo the stick
/// (spyre-layouts-and-work-division 3). When the stick ends up on another than the last dimension, a
/// restickify must be possible, so both extents have to be whole sticks (5.3 step 4).
[[nodiscard]] bool readersCanTakeStrides(const StridedView& view, const Buffer& buffer);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// A fixed set of shapes to place into one memory, and where they ended up.
#pragma once

#include "engine/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::solve {

/// Bytes of a shape in one time column, above its address.
struct ShapeCell {
    std::size_t column = 0;
    Bytes height = 0;  ///< > 0, a multiple of StackingProblem::grain
    friend bool operator==(const ShapeCell&, const ShapeCell&) = default;
};

/// One buffer, or a chain of buffers that hand one slot on: the same address in all of its columns.
struct StackShape {
    std::vector<ShapeCell> cells;  ///< by rising column, at least one
    Bytes tallest = 0;             ///< largest size in bytes, not rounded: the topmost shape needs no padding
    Bytes alignment = 1;
    friend bool operator==(const StackShape&, const StackShape&) = default;
};

struct StackingProblem {
    Bytes capacity = 0;
    Bytes grain = 1;  ///< divides every alignment and every height
    std::size_t columns = 0;
    std::vector<StackShape> shapes;
};

enum class StackingEnd { Placed, Impossible, NodeLimit, Interrupted };

struct Stacking {
    StackingEnd end = StackingEnd::Impossible;
    std::vector<Address> address;  ///< per shape, when Placed
    std::int64_t nodes = 0;        ///< spent
};

}  // namespace memplan::solve

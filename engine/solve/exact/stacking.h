// SPDX-License-Identifier: Apache-2.0
// Places a fixed set of shapes into one memory, all of them or none: the second step of the exact solver and the whole
// of `--objective fit` (performance-and-toolchain 5, "Exact solver"). Selecting what to place is not done here.
#pragma once

#include "engine/base/ids.h"
#include "engine/base/run_control.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Any placement can be pushed down until every shape rests on the floor or on another shape. The search keeps one
/// settled floor per column and works like this:
///   1. Lift each floor to the lowest address at which one of its remaining shapes can rest; fail where the shapes
///      that remain, each not before its resting address, no longer fit under the capacity.
///   2. Treat parts of time that no remaining shape joins on their own: one that fails, fails them all.
///   3. Take the column with the fewest shapes that can lie directly on its floor, weighted by how often it failed
///      (ties: less slack, lower column). Try each of them; then none, which lifts that floor to the top of the
///      lowest shape that could carry one of them.
///   4. Remember floors and remaining shapes that failed.
/// Runs with different preferences and growing node limits follow each other; a run that ends without reaching its
/// limit proves that there is no placement. No clock and no random draw: the same problem gives the same result.
[[nodiscard]] Stacking stackAll(const StackingProblem& problem, std::int64_t maxNodes, const RunControl& control);

}  // namespace memplan::solve

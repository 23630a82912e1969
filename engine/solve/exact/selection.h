// SPDX-License-Identifier: Apache-2.0
// Which buffers of one part to keep on chip, by value, before any address is known: the first step of the exact solver
// (performance-and-toolchain 5, "Exact solver").
#pragma once

#include "base/run_control.h"
#include "solve/exact/units.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace memplan::solve {

/// The relaxation: items may be kept in part, and in no column more than the capacity. Rows of consecutive columns make
/// it a flow of `capacity` units along time, in which item i carries up to its bytes at its value per byte.
struct Relaxation {
    double value = 0.0;         ///< of the best fractional choice: no placement is worth more
    std::vector<double> share;  ///< per item, 0 .. 1
};

enum class Fixed : std::int8_t { Free, In, Out };

/// Best fractional choice with some items fixed; a value below 0 when those fixed in do not fit together. When stopped
/// before the end, the value of all items that are not fixed out, which is still a bound.
[[nodiscard]] Relaxation relaxedSelection(const Part& part, const std::vector<Fixed>& fixed, const RunControl& control);

enum class SetEnd { Placed, Refused, Undecided };

struct SelectionResult {
    std::int64_t upperBound = 0;  ///< no placement is worth more
    bool isProved = false;        ///< nothing better than what `place` accepted or `best` is left
    std::int64_t nodes = 0;       ///< looked at
};

/// Depth-first branch and bound over the relaxation, items kept first, ties by number. `place` is called for sets
/// (ascending item numbers) worth more than `best`; it raises `best` when it places one. Stops after `maxNodes`.
[[nodiscard]] SelectionResult searchSelections(const Part& part, std::int64_t& best, std::int64_t maxNodes,
                                               const std::function<SetEnd(const std::vector<int>&)>& place,
                                               const RunControl& control);

}  // namespace memplan::solve

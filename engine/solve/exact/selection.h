// SPDX-License-Identifier: Apache-2.0
// Which buffers of one part to keep on chip, by value, before any address is known: the first step of the exact solver
// (performance-and-toolchain 5, "Exact solver").
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/place_set.h"
#include "engine/solve/exact/units.h"

#include <cstdint>
#include <vector>

namespace memplan::solve {

/// The relaxation: items may be kept in part, and in no column more than the capacity. Rows of consecutive columns make
/// it a flow of `capacity` units along time, in which item i carries up to its bytes at its value per byte. The value
/// of the best fractional choice: no placement is worth more. When stopped before the end, the value of all items.
[[nodiscard]] double relaxedValue(const Part& part, const RunControl& control);

/// Branch and bound over the relaxation; calls `place` for sets that might fit and raise `best`.
[[nodiscard]] SelectionResult searchSelections(const Part& part, std::int64_t& best, const SelectionLimits& limits,
                                               const PlaceSet& place, const RunControl& control);

}  // namespace memplan::solve

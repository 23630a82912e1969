// SPDX-License-Identifier: Apache-2.0
// How far the address of a tensor moves with each iteration of the loops around an op
// (spyre-coarse-tiling-and-bundle 10), from the layout of its buffer and the index of the op.
#pragma once

#include "engine/verify/spyre/reading/reading.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::verify {

/// Bytes per iteration of each enclosing loop, outermost first; empty where it does not move. nullopt where the plan
/// does not say which loops are tiled.
[[nodiscard]] std::optional<std::vector<std::int64_t>> advanceOf(const PlanReading& reading, OpId op,
                                                                 const PlanAccess& access);

/// Elements per iteration of each enclosing loop, outermost first, of an index over the loops of the op: the tile of
/// each loop that a level cuts. nullopt where the plan does not say which loops are tiled.
[[nodiscard]] std::optional<std::vector<std::int64_t>> elementAdvanceOf(const PlanReading& reading, OpId op,
                                                                        const std::vector<std::int64_t>& coefficients);

/// Bytes of one element in the device form of a buffer, 0 for an unknown form.
[[nodiscard]] std::int64_t itemBytes(const PlanBuffer& buffer);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// When two accesses agree on the stick, and what moving the stick to another dimension costs
// (spyre-layouts-and-work-division 5.1, 5.3).
#pragma once

#include "engine/spyre/layout/coordinates.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace memplan::spyre {

/// Elements moved by a restickify; kInfiniteCost = impossible.
using EdgeCost = std::int64_t;
inline constexpr EdgeCost kInfiniteCost = std::numeric_limits<std::int64_t>::max();

/// The loops of an access by their role: in the stick coordinate, and in the other coordinates.
struct StickRoles {
    LoopMask stick = 0;
    LoopMask others = 0;  ///< without the own stick loops
};

[[nodiscard]] StickRoles stickRoles(const Coordinates& device);
/// At most one stick loop altogether, and no access moves it outside its stick. A broadcast or sparse
/// operand (stick coordinate 0) asks for nothing.
[[nodiscard]] bool sticksAgree(std::span<const StickRoles> accesses);
[[nodiscard]] bool sticksAgree(const StickRoles& a, const StickRoles& b);

/// An input as an op reads it under one of its layouts.
struct ReadUnderLayout {
    const Buffer* buffer = nullptr;
    const StickLayout* layout = nullptr;
    const Coordinates* host = nullptr;
    const Coordinates* device = nullptr;
};

/// Layout of the input after its stick was moved to the dimension of `wanted`; nullopt when that is
/// infeasible (no such dimension, or its extent is no whole number of sticks).
[[nodiscard]] std::optional<StickLayout> restickifyTarget(const ReadUnderLayout& input, CoordinateView wanted);

/// Device elements of a layout, padding included: the cost of moving it.
[[nodiscard]] EdgeCost deviceElements(const StickLayout& layout);

}  // namespace memplan::spyre

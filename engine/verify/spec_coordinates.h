// SPDX-License-Identifier: Apache-2.0
// Do the device coordinates of an OpSpec lead to the element that the access of the operation names
// (spyre-layouts-and-work-division 3): compared at the corners of the loops and at scattered points.
#pragma once

#include "plan/plan.h"
#include "spyre/bundle/op_spec.h"

#include <string>
#include <vector>

namespace memplan::verify {

/// The first point at which a coordinate is not that of the access, in words; empty where there is none.
[[nodiscard]] std::string firstWrongCoordinate(const Plan& plan, OpId op, const PlanAccess& access,
                                               const bundle::TensorArg& arg);

/// Device size of the tile that one iteration of the loops around the op touches: the layout of the buffer cut by the
/// loops that are tiled (spyre-coarse-tiling-and-bundle 3.3).
[[nodiscard]] std::vector<std::int64_t> tileSize(const Plan& plan, OpId op, const PlanAccess& access);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// What a SuperDSC file can say about the elements that an op touches of one arg: one step per loop
// (spyre-coarse-tiling-and-bundle 13.2 step 3, 13.4).
#pragma once

#include "engine/base/result.h"
#include "engine/plan/op_spec/op_spec.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memplan::bundle {

/// How one loop of the op moves through an arg.
struct LoopStep {
    std::size_t loop = 0;     ///< position in the iteration space
    std::size_t dim = 0;      ///< device dimension in which the loop stands
    std::int64_t stride = 1;  ///< elements per step; for the stick loop per stick
    std::int64_t reach = 1;   ///< elements from its first position to the end of its device dimension
    std::int64_t pieces = 1;  ///< of the dimensions inside its own: cores that hold a piece of them each, LX only
};

/// Address of an element in an arg: offset + the sum of steps + the position inside the stick, in elements.
struct AffineAccess {
    std::int64_t offset = 0;      ///< elements, from the constant terms of the coordinates
    std::vector<LoopStep> steps;  ///< by stride, the smallest first; equal strides from the stick outwards
    int stick = -1;               ///< loop that runs inside the stick; -1: the arg has a constant there
};

/// The access of an arg where each of its loops moves by a constant step, the stick loop by one element inside a stick
/// and by a constant step between sticks. `stickLoop` is the loop of the last coordinate, -1 for a constant one. A
/// tensor in LX counts in the piece that one core holds. Errors: BND-105 for every other access, with the loop.
[[nodiscard]] Result<AffineAccess> affineAccess(const OpSpec& op, std::size_t arg, int stickLoop);

}  // namespace memplan::bundle

// SPDX-License-Identifier: Apache-2.0
// Operations that move nothing, and those that are another in disguise (ttnn-optimizer 7.1, 9.4).
#pragma once

#include "engine/ttnn/module/module.h"

namespace memplan::ttnn {

/// A reshape that need not move anything, with the page layout that the value has (model::isViewReshape).
[[nodiscard]] bool canBeView(const Type& from, const Type& to);

/// The result of this operation, with the layouts it has now, shares its first operand's bytes in L1.
[[nodiscard]] bool isViewInL1(const Function& function, const Operation& op);

/// A convolution with kernel 1x1, stride 1, no padding and no dilation: a matrix multiplication.
[[nodiscard]] bool isConvAsMatmul(const Function& function, const Operation& op);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// StableHLO operations that move a window over images of two dimensions, as the TTIR operations of the same meaning.
// What is of another form remains as it is.
#pragma once

#include "engine/ttnn/module/module.h"

namespace memplan::ttnn::lower {

/// `stablehlo.convolution` as `ttir.conv2d`: input and result lie alike, no gaps between the elements of the input. A
/// kernel in another order is permuted before.
void imageConvolution(Function& function, OperationId id);

/// `stablehlo.reduce_window` that takes the largest as `ttir.max_pool2d`.
void imagePool(Function& function, OperationId id);

}  // namespace memplan::ttnn::lower

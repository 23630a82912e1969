// SPDX-License-Identifier: Apache-2.0
// The optimizer as one function on values: a TTNN module and options give the optimised module and, per function, all
// that a plan needs (ttnn-optimizer 2, 13).
#pragma once

#include "engine/ttnn/optimize/stages.h"

namespace memplan::ttnn {

/// Returns the state after the last stage. With the optimizer off the module stays as it is and no function is listed.
[[nodiscard]] Result<OptimizeState> optimize(Module lowered, const Options& options, const RunControl& control = {},
                                             std::uint32_t seed = 0);

}  // namespace memplan::ttnn

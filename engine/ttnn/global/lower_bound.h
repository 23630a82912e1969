// SPDX-License-Identifier: Apache-2.0
// What no placement goes below (ttnn-optimizer 12.5): every operation with its best configuration, no conversions.
#pragma once

#include "engine/ttnn/assign/evaluator.h"

namespace memplan::ttnn {

/// Nanoseconds of the function, operands in whatever layouts suit each operation best; arguments where the module has
/// them.
[[nodiscard]] double lowerBoundNs(Evaluator& evaluator);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// What no placement goes below (ttnn-optimizer 12.5): every operation with its best configuration, no conversions.
#pragma once

#include "engine/ttnn/assign/assignment.h"

namespace memplan::ttnn {

/// Nanoseconds of the function, operands in whatever layouts suit each operation best; arguments where the module has
/// them. What the search found for an operation counts too: `found` is the solution that the bound is for.
[[nodiscard]] double lowerBoundNs(Evaluator& evaluator, const Assignment& found);

}  // namespace memplan::ttnn

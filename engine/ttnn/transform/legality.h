// SPDX-License-Identifier: Apache-2.0
// The last word on a solution: it is applied to a copy of the function, every operation is asked at its position, and
// what does not hold is taken back (ttnn-optimizer 6.1, 12.5). Policies check less: conversions, for one, are no
// operations of theirs.
#pragma once

#include "engine/ttnn/solution/solution.h"

namespace memplan::ttnn {

/// Changes the solution until it holds or until everything about an operation that does not is as without a policy. A
/// chain with such an operation fails as a whole. What is taken back is added to the solution's list of it.
void makeLegal(const PolicyInput& input, Solution& solution);

}  // namespace memplan::ttnn

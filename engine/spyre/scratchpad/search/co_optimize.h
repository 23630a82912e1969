// SPDX-License-Identifier: Apache-2.0
// Step 16.2 co_optimize: divisions and residency chosen together (spyre-scratchpad 11).
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

/// Strategy B over single-dimension flips for the solvers greedy, firstfit and bestfit; the richer menus for
/// annealing and exact. Changes divisions, and inserts clones of inputs that became clonable.
[[nodiscard]] Result<PassOutcome> coOptimize(State& state, PassContext& context);

}  // namespace memplan::spyre

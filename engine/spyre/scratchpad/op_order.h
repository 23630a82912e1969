// SPDX-License-Identifier: Apache-2.0
// The hint op_order: the operations in an order that the user wrote down (spyre-scratchpad 14.2, hints.md 4.1).
#pragma once

#include "pipeline/pass.h"
#include "pipeline/state.h"

namespace memplan::spyre {

/// Puts the operations into the order of the hint, once in a compile. Operations that passes added go where the
/// operation stands that they were added for, or before their first reader. An order that the program cannot take
/// (fallback kernels in another order, a loop group torn) leaves it as it is and the hint impossible.
void applyOpOrder(State& state, PassContext& context);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Pass 16 step reorder_ops (spyre-scratchpad 14.2): another order of the operations where the plan then moves fewer
// bytes to and from main memory.
//   1. Units: what the hint op_order moves as one, so that the hint can repeat the order found. Where these units
//      cannot stand together (a loop group would be torn) every operation is a unit of its own.
//   2. List scheduling and local search (order_search.h) with the chosen solver; best-fit in scored order stands in
//      for annealing and exact.
//   3. The order found, as the hint would say it, is planned by the real steps. It stays when it moves strictly fewer
//      bytes than the program's order.
// A hint op_order in force is the user's order: the pass then does nothing.
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> reorderOps(State& state, PassContext& context);

}  // namespace memplan::spyre

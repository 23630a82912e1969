// SPDX-License-Identifier: Apache-2.0
// The two searches for an order of the operations (spyre-scratchpad 14.2):
//   1. list scheduling: among the units whose predecessors stand already, the one with the most bytes freed minus bytes
//      born goes next; ties: the one that stands first in the program.
//   2. local search: one unit or one loop group moves to another legal position. Where many positions are legal the
//      load of the new order forecasts which ones are worth a placement. A move stays when the order's score is
//      strictly smaller: traffic of the placed plan, peak load, distance to the program's order.
// Only buffers without place can gain, so only what lives beside one is moved. The number of placements and forecasts
// is bounded by the size of the program; nothing depends on the clock unless a time limit is set.
#pragma once

#include "engine/spyre/scratchpad/reorder/order_trial.h"

#include <string>

namespace memplan::spyre {

struct OrderSearchTools {
    const solve::Solver* solver = nullptr;
    solve::SolverParams params;
    RunControl control;  ///< its deadline ends the search with the best order so far; a stop is an error
};

struct OrderFound {
    OpOrder order;
    OrderTrial::Score first, best;  ///< of the program's order, of `order`
    std::string method;             ///< list_scheduling, local_search; empty when nothing is better
    std::int64_t trials = 0;        ///< placements that were made
};

[[nodiscard]] OpOrder listSchedule(const OrderRules& rules, const OrderTrial& trial, const OpOrder& start);

/// `start` is a legal order; the result is never worse.
[[nodiscard]] Result<OrderFound> searchOrder(const OrderRules& rules, const OrderTrial& trial, const OpOrder& start,
                                             const OrderSearchTools& tools);

}  // namespace memplan::spyre

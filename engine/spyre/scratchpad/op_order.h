// SPDX-License-Identifier: Apache-2.0
// The order of the operations before scratchpad planning: loop groups in one piece
// (spyre-cost-and-co-optimisation 19), then the hint op_order (spyre-scratchpad 14.2, hints.md 4.1).
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/state.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// Once in a compile: makes every outer loop group one block, then puts the operations into the order of the hint.
/// Operations that passes added go where the operation stands that they were added for, or before their first reader.
/// An order that the program cannot take (fallback kernels in another order, a loop group torn) leaves it as it is and
/// the hint impossible.
void applyOpOrder(State& state, PassContext& context);

/// What the hint op_order makes of the program.
struct HintedOrder {
    std::vector<std::size_t> order;  ///< for each new position the position in the program
    std::string problem;             ///< why the program cannot take it, empty when it can
};
[[nodiscard]] HintedOrder orderByHint(const State& state, const std::vector<std::string>& graphOps);

/// Per op the number of what the hint moves as one: ops that passes added share that of their operation. Numbers
/// follow the order of the graph.
[[nodiscard]] std::vector<int> hintUnits(const State& state);

/// The value of the hint that says an order of the program as far as graph operations can: every id once.
[[nodiscard]] std::vector<std::string> graphOrderOf(const State& state, const std::vector<std::size_t>& order);

/// Puts the operations of a program into another order.
void permuteOps(Program& program, const std::vector<std::size_t>& order);

}  // namespace memplan::spyre

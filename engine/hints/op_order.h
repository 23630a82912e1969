// SPDX-License-Identifier: Apache-2.0
// The value of the hint op_order: a permutation of the graph's operations that keeps every dependency
// (hints.md 4).
#pragma once

#include "engine/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::hints {

struct OrderProblem {
    int position = -1;  ///< in the wanted order, -1 = the whole of it
    std::string message, fix;
};

/// What is wrong with `order` as an execution order of the graph; nullopt when it is one. Read after write, write
/// after read and write after write on the same storage keep their order.
[[nodiscard]] std::optional<OrderProblem> orderProblem(const std::vector<std::string>& order, const Graph& graph);

}  // namespace memplan::hints

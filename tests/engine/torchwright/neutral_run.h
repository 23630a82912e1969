// SPDX-License-Identifier: Apache-2.0
// Executes a neutral graph by its loops and maps alone: what a lowered graph is compared with.
#pragma once

#include "engine/graph/graph.h"

#include <map>
#include <vector>

namespace memplan::test {

using TensorValues = std::map<TensorId, std::vector<double>>;

/// Every tensor that the inputs give. Knows the functions that have a form on this machine, and those of a softmax.
[[nodiscard]] TensorValues runNeutral(const Graph& graph, TensorValues inputs);

}  // namespace memplan::test

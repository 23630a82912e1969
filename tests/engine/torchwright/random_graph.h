// SPDX-License-Identifier: Apache-2.0
// Random node graphs of every kind of node.
#pragma once

#include "engine/torchwright/graph/node_graph.h"

namespace memplan::test {

/// Two inputs, a literal and `count` nodes of any mixture of kinds; later nodes read recent ones more often. Half of
/// them end in a Concatenate, all have an extra output.
[[nodiscard]] torchwright::NodeGraph randomGraph(unsigned seed, int count);
/// The same with Linears that several ReLU chains and others read, and `after` edges onto members of chains.
[[nodiscard]] torchwright::NodeGraph randomSharedGraph(unsigned seed, int count);

}  // namespace memplan::test

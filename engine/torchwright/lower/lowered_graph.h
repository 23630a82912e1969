// SPDX-License-Identifier: Apache-2.0
// What a neutral graph became: nodes, and which operation and tensor each of them is a part of.
#pragma once

#include "engine/graph/graph.h"
#include "engine/torchwright/graph/node_graph.h"

#include <map>

namespace memplan::torchwright {

struct LoweredGraph {
    NodeGraph nodes;
    std::map<std::int64_t, GraphOpId> ops;     ///< by number of a node: the operation that it is a part of
    std::map<std::int64_t, TensorId> tensors;  ///< by number of a node: the tensor that it computes
};

}  // namespace memplan::torchwright

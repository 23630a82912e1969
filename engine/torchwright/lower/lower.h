// SPDX-License-Identifier: Apache-2.0
// A neutral graph as nodes of this machine (inputs-and-interchange 6, torchwright column). It works on one token
// position: of a tensor one axis may count positions, all others together are the features.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/torchwright/graph/node_graph.h"

#include <map>

namespace memplan::torchwright {

struct LoweredGraph {
    NodeGraph nodes;
    std::map<std::int64_t, GraphOpId> ops;       ///< by number of a node: the operation that it is a part of
    std::map<std::int64_t, TensorId> tensors;    ///< by number of a node: the tensor that it computes
    std::map<std::string, std::int64_t> byName;  ///< by id of an operation: the node of its result
};

/// Error: TW-001 with the first operation that has no form, and why.
[[nodiscard]] Result<LoweredGraph> lowered(const Graph& graph);

}  // namespace memplan::torchwright

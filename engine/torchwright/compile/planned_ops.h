// SPDX-License-Identifier: Apache-2.0
// The operations of a schedule in one row: layer by layer, attention before MLP.
#pragma once

#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

#include <string>
#include <vector>

namespace memplan::torchwright {

struct PlannedOp {
    int layer = 0;
    const AttentionOp* attention = nullptr;  ///< one of the two
    const MlpOp* mlp = nullptr;
    NodeId node;       ///< invalid for a cancel
    std::string name;  ///< number of the node; "12.bias", "cancel_3"
};

[[nodiscard]] std::vector<PlannedOp> plannedOps(const NodeGraph& graph, const Schedule& schedule);
/// First Linear and ReLU of the chain that the operation computes; empty for another operation.
[[nodiscard]] std::vector<NodeId> chainMembers(const NodeGraph& graph, const MlpOp& op);

}  // namespace memplan::torchwright

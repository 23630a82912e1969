// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/planned_ops.h"

namespace memplan::torchwright {

std::vector<PlannedOp> plannedOps(const NodeGraph& graph, const Schedule& schedule) {
    std::vector<PlannedOp> ops;
    for (int i = 0; i < schedule.layerCount(); ++i) {
        const Layer& layer = schedule.layers[static_cast<std::size_t>(i)];
        for (const AttentionOp& op : layer.attention)
            ops.push_back(
                {i, &op, nullptr, op.node,
                 op.node.isValid() ? std::to_string(graph.at(op.node).number) : "cancel_" + std::to_string(i)});
        for (const MlpOp& op : layer.mlp)
            ops.push_back({i, nullptr, &op, op.node,
                           std::to_string(graph.at(op.node).number) + (op.kind == MlpKind::Bias ? ".bias" : "")});
    }
    return ops;
}

std::vector<NodeId> chainMembers(const NodeGraph& graph, const MlpOp& op) {
    if (op.kind != MlpKind::ComputeRelu) return {};
    if (graph.at(op.node).inputs.empty()) return {};
    const NodeId relu = graph.at(op.node).inputs.front();
    if (graph.at(relu).inputs.empty()) return {};  // a plan file may say anything
    return {graph.at(relu).inputs.front(), relu};
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/graph/node_graph.h"

#include <queue>

#include <functional>

namespace memplan::torchwright {

std::vector<NodeId> topologicalOrder(const NodeGraph& graph) {
    std::vector<std::size_t> waiting(graph.size(), 0);
    std::vector<std::vector<NodeId>> readers(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        waiting[i] = graph.nodes[i].inputs.size();
        for (const NodeId input : graph.nodes[i].inputs)
            readers[input.at()].push_back(NodeId::of(i));
    }
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (waiting[i] == 0) ready.push(NodeId::of(i));
    std::vector<NodeId> order;
    order.reserve(graph.size());
    while (!ready.empty()) {
        const NodeId id = ready.top();
        ready.pop();
        order.push_back(id);
        for (const NodeId reader : readers[id.at()])
            if (--waiting[reader.at()] == 0) ready.push(reader);
    }
    return order;
}

}  // namespace memplan::torchwright

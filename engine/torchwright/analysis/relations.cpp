// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/analysis/relations.h"

#include <algorithm>
#include <ranges>

namespace memplan::torchwright {
namespace {

std::vector<std::vector<NodeId>> consumersOf(const NodeGraph& graph) {
    std::vector<std::vector<NodeId>> consumers(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const NodeId reader = NodeId::of(i);
        for (const NodeId input : graph.nodes[i].inputs) {
            auto& list = consumers[input.at()];
            if (list.empty() || list.back() != reader) list.push_back(reader);
        }
    }
    return consumers;
}

std::vector<std::vector<NodeId>> readsOf(const NodeGraph& graph) {
    std::vector<std::vector<NodeId>> reads(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        for (const NodeId input : graph.nodes[i].inputs) {
            const std::vector<NodeId> leaves = leavesOf(graph, input);
            reads[i].insert(reads[i].end(), leaves.begin(), leaves.end());
        }
    }
    return reads;
}

std::vector<std::vector<NodeId>> effectiveOf(const NodeGraph& graph, const Relations& r) {
    std::vector<std::vector<NodeId>> effective(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (graph.nodes[i].is(NodeKind::Concatenate) && !r.consumers[i].empty()) continue;
        const NodeId reader = NodeId::of(i);
        for (const NodeId leaf : r.reads[i]) {
            auto& list = effective[leaf.at()];
            if (list.empty() || list.back() != reader) list.push_back(reader);
        }
    }
    return effective;
}

void setDistances(const NodeGraph& graph, Relations& r) {
    const std::vector<NodeId> order = topologicalOrder(graph);
    r.distance.assign(graph.size(), -1);
    r.depth.assign(graph.size(), 0);
    for (const NodeId output : graph.outputs())
        r.distance[output.at()] = 0;
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        const int own = r.distance[id->at()];
        for (const NodeId input : graph.at(*id).inputs)
            if (own >= 0) r.distance[input.at()] = std::max(r.distance[input.at()], own + 1);
    }
    for (const NodeId id : order)
        for (const NodeId input : graph.at(id).inputs)
            r.depth[id.at()] = std::max(r.depth[id.at()], r.depth[input.at()] + 1);
    r.longest = std::max(0, *std::ranges::max_element(r.distance));
}

}  // namespace

Relations relationsOf(const NodeGraph& graph) {
    Relations r;
    r.consumers = consumersOf(graph);
    r.reads = readsOf(graph);
    r.effective = effectiveOf(graph, r);
    r.isOutput.assign(graph.size(), false);
    for (const NodeId output : graph.outputs())
        for (const NodeId leaf : leavesOf(graph, output))
            r.isOutput[leaf.at()] = true;
    setDistances(graph, r);
    return r;
}

}  // namespace memplan::torchwright

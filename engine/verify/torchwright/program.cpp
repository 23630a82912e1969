// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/program.h"

#include <algorithm>

namespace memplan::verify::torchwright {

using memplan::torchwright::Node;
using memplan::torchwright::NodeKind;

Program::Program(const memplan::torchwright::NodeGraph& g)
    : graph(g), inputLeaves(g.size()), ownLeaves(g.size()), readers(g.size()), isHeld(g.size(), false),
      distance(g.size(), -1), depth(g.size(), 0) {
    sort();
    if (!isWhole) return;
    flatten();
    measure();
}

void Program::sort() {
    std::vector<std::size_t> open(graph.size());
    std::vector<std::vector<NodeId>> next(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        open[i] = graph.nodes[i].inputs.size();
        for (const NodeId input : graph.nodes[i].inputs)
            next[input.at()].push_back(NodeId::of(i));
        if (open[i] == 0) order.push_back(NodeId::of(i));
    }
    for (std::size_t at = 0; at < order.size(); ++at) {
        for (const NodeId reader : next[order[at].at()]) {
            if (--open[reader.at()] == 0) order.push_back(reader);
        }
    }
    isWhole = order.size() == graph.size();
}

void Program::flatten() {
    for (const NodeId id : order) {
        const Node& node = graph.at(id);
        for (const NodeId input : node.inputs)
            inputLeaves[id.at()].push_back(ownLeaves[input.at()]);
        if (node.is(NodeKind::Placeholder)) continue;
        if (!node.is(NodeKind::Concatenate)) {
            ownLeaves[id.at()] = {id};
            for (const auto& leaves : inputLeaves[id.at()]) {
                for (const NodeId leaf : leaves) {
                    auto& list = readers[leaf.at()];
                    if (list.empty() || list.back() != id) list.push_back(id);
                }
            }
            continue;
        }
        for (const auto& leaves : inputLeaves[id.at()])
            ownLeaves[id.at()].insert(ownLeaves[id.at()].end(), leaves.begin(), leaves.end());
    }
    for (const NodeId output : graph.outputs()) {
        for (const NodeId leaf : ownLeaves[output.at()])
            isHeld[leaf.at()] = true;
    }
}

void Program::measure() {
    for (const NodeId id : order) {
        for (const NodeId input : graph.at(id).inputs)
            depth[id.at()] = std::max(depth[id.at()], depth[input.at()] + 1);
    }
    for (const NodeId output : graph.outputs())
        distance[output.at()] = std::max(distance[output.at()], 0);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const int own = distance[it->at()];
        if (own < 0) continue;
        longest = std::max(longest, own);
        for (const NodeId input : graph.at(*it).inputs)
            distance[input.at()] = std::max(distance[input.at()], own + 1);
    }
}

std::string annotationOf(const Node& node) {
    return node.annotation.empty() ? "(none)" : node.annotation;
}

}  // namespace memplan::verify::torchwright

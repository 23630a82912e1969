// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/graph/node_graph.h"

#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

/// Position of each kept node in the graph that is made of them, an invalid id for the others.
std::vector<NodeId> newIds(const std::vector<bool>& kept) {
    std::vector<NodeId> ids(kept.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i]) ids[i] = NodeId::of(next++);
    return ids;
}

void renumber(std::vector<NodeId>& list, const std::vector<NodeId>& ids) {
    for (NodeId& id : list)
        id = ids[id.at()];
}

/// Nothing waits for a node that is gone.
void renumberAfter(Node& node, const std::vector<NodeId>& ids) {
    std::erase_if(node.after, [&ids](NodeId id) { return !ids[id.at()].isValid(); });
    renumber(node.after, ids);
}

}  // namespace

std::vector<NodeId> NodeGraph::outputs() const {
    std::vector<NodeId> all{output};
    all.insert(all.end(), extraOutputs.begin(), extraOutputs.end());
    return all;
}

NodeId NodeGraph::find(std::int64_t number) const {
    const auto found = std::ranges::lower_bound(nodes, number, {}, &Node::number);
    if (found == nodes.end() || found->number != number) return {};
    return NodeId::of(static_cast<std::size_t>(found - nodes.begin()));
}

std::string NodeGraph::label(NodeId id) const {
    const Node& node = at(id);
    std::string text = std::to_string(node.number);
    if (!node.name.empty()) text += " (" + text::escaped(node.name) + ')';
    return text;
}

std::vector<NodeId> leavesOf(const NodeGraph& graph, NodeId id) {
    std::vector<NodeId> leaves;
    std::vector<NodeId> open{id};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        const Node& node = graph.at(at);
        if (node.is(NodeKind::Concatenate)) {
            open.insert(open.end(), node.inputs.rbegin(), node.inputs.rend());
        } else if (!node.is(NodeKind::Placeholder)) {
            leaves.push_back(at);
        }
    }
    return leaves;
}

std::vector<bool> neededNodes(const NodeGraph& graph) {
    std::vector<bool> needed(graph.size(), false);
    std::vector<NodeId> open = graph.outputs();
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        if (needed[at.at()]) continue;
        needed[at.at()] = true;
        const auto& inputs = graph.at(at).inputs;
        open.insert(open.end(), inputs.begin(), inputs.end());
    }
    return needed;
}

NodeGraph withPosition(const NodeGraph& graph, Columns width) {
    NodeGraph out = graph;
    if (graph.position.isValid()) return out;
    Node node;
    node.number = graph.nodes.empty() ? 0 : graph.nodes.back().number + 1;
    node.kind = NodeKind::PosEncoding;
    node.width = width;
    out.position = NodeId::of(out.size());
    out.nodes.push_back(std::move(node));
    return out;
}

NodeGraph withoutUnneeded(const NodeGraph& graph) {
    std::vector<bool> kept = neededNodes(graph);
    if (graph.position.isValid()) kept[graph.position.at()] = true;
    const std::vector<NodeId> ids = newIds(kept);
    NodeGraph out;
    out.name = graph.name;
    out.hasTensors = graph.hasTensors;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (!kept[i]) continue;
        Node node = graph.nodes[i];
        renumber(node.inputs, ids);
        renumberAfter(node, ids);
        out.nodes.push_back(std::move(node));
    }
    out.output = ids[graph.output.at()];
    out.extraOutputs = graph.extraOutputs;
    renumber(out.extraOutputs, ids);
    if (graph.position.isValid()) out.position = ids[graph.position.at()];
    return out;
}

NodeGraph stripped(const NodeGraph& graph) {
    const auto isGone = [](const Node& node) { return isPassThrough(node.kind); };
    if (std::ranges::none_of(graph.nodes, isGone)) return graph;
    NodeGraph out = graph;
    const auto beneath = [&graph](NodeId id) {
        while (isPassThrough(graph.at(id).kind))
            id = graph.at(id).inputs.front();
        return id;
    };
    const auto redraw = [&beneath](std::vector<NodeId>& list) { std::ranges::transform(list, list.begin(), beneath); };
    for (Node& node : out.nodes) {
        if (isGone(node)) continue;
        redraw(node.inputs);
        redraw(node.after);
    }
    out.output = beneath(graph.output);
    redraw(out.extraOutputs);
    return withoutUnneeded(out);
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/graph_edit.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {

NodeId GraphEdit::add(Node node, NodeId like) {
    node.number = graph_.nodes.back().number + 1;
    node.annotation = graph_.at(like).annotation;
    node.params = denseParams(node);
    graph_.nodes.push_back(std::move(node));
    return NodeId::of(graph_.size() - 1);
}

NodeId GraphEdit::concatenate(std::vector<NodeId> parts, NodeId like) {
    Node node;
    node.kind = NodeKind::Concatenate;
    for (const NodeId part : parts)
        node.width += graph_.at(part).width;
    node.inputs = std::move(parts);
    return add(std::move(node), like);
}

NodeId GraphEdit::linear(NodeId input, Columns width, LinearData data, NodeId like) {
    Node node;
    node.kind = NodeKind::Linear;
    node.width = width;
    node.inputs = {input};
    node.data = std::move(data);
    return add(std::move(node), like);
}

NodeId GraphEdit::relu(NodeId input, NodeId like) {
    Node node;
    node.kind = NodeKind::ReLU;
    node.width = graph_.at(input).width;
    node.inputs = {input};
    return add(std::move(node), like);
}

NodeId GraphEdit::attn(std::vector<NodeId> inputs, Columns width, AttnData data, NodeId like) {
    Node node;
    node.kind = NodeKind::Attn;
    node.width = width;
    node.inputs = std::move(inputs);
    node.data = std::move(data);
    return add(std::move(node), like);
}

void GraphEdit::makeLinear(NodeId id, NodeId input, LinearData data) {
    Node& node = graph_.at(id);
    node.kind = NodeKind::Linear;
    node.inputs = {input};
    node.data = std::move(data);
    node.params = denseParams(node);
}

void GraphEdit::inheritAfter(NodeId id, NodeId from) {
    if (id == from) return;
    for (const NodeId before : graph_.at(from).after) {
        auto& after = graph_.at(id).after;
        const auto place = std::ranges::lower_bound(after, before);
        if (place == after.end() || *place != before) after.insert(place, before);
    }
    const auto& missing = graph_.at(from).afterMissing;
    auto& own = graph_.at(id).afterMissing;
    own.insert(own.end(), missing.begin(), missing.end());
}

void GraphEdit::redirect(NodeId from, NodeId to) {
    for (Node& node : graph_.nodes) {
        std::ranges::replace(node.inputs, from, to);
        if (std::ranges::find(node.after, from) == node.after.end()) continue;
        std::ranges::replace(node.after, from, to);
        std::ranges::sort(node.after);
        node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
    }
}

}  // namespace memplan::torchwright

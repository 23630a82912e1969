// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/cut/cut.h"

#include "engine/base/text.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::torchwright {
namespace {

std::string_view trimmed(std::string_view s) {
    const std::size_t first = s.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(' ') - first + 1);
}

Error cutError(std::string_view setting, std::string message, std::string fix) {
    return makeError("TW-021", std::string(setting), std::move(message), std::move(fix));
}

/// What may be named instead: an annotation that is spelled nearly like it, else the first that there are.
std::string annotationsLike(const NodeGraph& graph, std::string_view wanted) {
    constexpr std::size_t kMost = 3;
    std::set<std::string> all;
    for (const Node& node : graph.nodes)
        if (!node.annotation.empty()) all.insert(node.annotation);
    if (all.empty()) return "the graph has no annotations";
    if (const std::string nearest = text::nearest(wanted, {all.begin(), all.end()}); !nearest.empty())
        return "nearest: " + text::quoted(nearest);
    std::vector<std::string> some;
    for (auto it = all.begin(); it != all.end() && some.size() < kMost; ++it)
        some.push_back(text::quoted(*it));
    const std::size_t others = all.size() - some.size();
    return "there are " + text::join(some, ", ") + (others > 0 ? " and " + std::to_string(others) + " more" : "");
}

NodeId joinOf(NodeGraph& graph, const std::vector<NodeId>& nodes) {
    if (nodes.size() == 1) return nodes.front();
    Node join;
    join.number = graph.nodes.back().number + 1;
    join.kind = NodeKind::Concatenate;
    join.inputs = nodes;
    for (const NodeId id : nodes)
        join.width += graph.at(id).width;
    graph.nodes.push_back(std::move(join));
    return NodeId::of(graph.size() - 1);
}

Node zeroLiteral(const Node& node) {
    Node zero;
    zero.number = node.number;
    zero.kind = NodeKind::LiteralValue;
    zero.width = node.width;
    zero.name = node.name;
    zero.annotation = node.annotation;
    zero.data = LiteralData{std::vector<float>(static_cast<std::size_t>(node.width), 0.0F)};
    return zero;
}

Node inputOf(const Node& node) {
    Node input;
    input.number = node.number;
    input.kind = NodeKind::InputNode;
    input.width = node.width;
    input.name = node.name.empty() ? "node_" + std::to_string(node.number) : node.name;
    input.annotation = node.annotation;
    input.data = InputData{};
    return input;
}

/// Nodes that read one of these, directly or not.
std::vector<bool> descendantsOf(const NodeGraph& graph, const std::vector<NodeId>& nodes) {
    std::vector<bool> depends(graph.size(), false);
    std::vector<bool> isOne(graph.size(), false);
    for (const NodeId id : nodes)
        isOne[id.at()] = true;
    for (const NodeId id : topologicalOrder(graph))
        depends[id.at()] = std::ranges::any_of(graph.at(id).inputs,
                                               [&](NodeId input) { return isOne[input.at()] || depends[input.at()]; });
    return depends;
}

/// Nodes under an annotation whose values are read outside it, or by the user.
std::vector<bool> boundaryOf(const NodeGraph& graph, std::string_view annotation) {
    std::vector<bool> isRead(graph.size(), false);
    for (const Node& node : graph.nodes)
        for (const NodeId input : node.inputs)
            if (!isUnder(node, annotation)) isRead[input.at()] = true;
    for (const NodeId output : graph.outputs()) {
        isRead[output.at()] = true;
        for (const NodeId leaf : leavesOf(graph, output))
            isRead[leaf.at()] = true;
    }
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (!isUnder(graph.nodes[i], annotation) || NodeId::of(i) == graph.position) isRead[i] = false;
    return isRead;
}

}  // namespace

bool isUnder(const Node& node, std::string_view annotation) {
    const std::string_view own = node.annotation;
    return own == annotation || (own.starts_with(annotation) && own[annotation.size()] == '/');
}

Result<NodeGraph> isolated(const NodeGraph& graph, const std::vector<NodeId>& nodes) {
    if (nodes.empty())
        return cutError("torchwright.isolate", "there is no node to compile", "name a node of the graph");
    NodeGraph out = graph;
    out.extraOutputs.clear();
    out.output = joinOf(out, nodes);
    return withoutUnneeded(out);
}

Result<NodeGraph> stubbed(const NodeGraph& graph, std::string_view annotation) {
    const std::vector<bool> isBoundary = boundaryOf(graph, annotation);
    if (std::ranges::find(isBoundary, true) == isBoundary.end())
        return cutError("torchwright.stub", "no node has the annotation " + text::quoted(annotation),
                        annotationsLike(graph, annotation));
    NodeGraph out = graph;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (isBoundary[i]) out.nodes[i] = zeroLiteral(graph.nodes[i]);
    out.hasTensors = false;
    return withoutUnneeded(out);
}

Result<NodeGraph> withInputs(const NodeGraph& graph, const std::vector<NodeId>& nodes) {
    const std::vector<bool> depends = descendantsOf(graph, nodes);
    NodeGraph out = graph;
    for (const NodeId id : nodes) {
        const Node& node = graph.at(id);
        if (isInputLike(node.kind) || node.is(NodeKind::Concatenate) || node.is(NodeKind::Placeholder))
            return cutError("torchwright.as_inputs",
                            "node " + graph.label(id) + " has the type " + std::string(kindName(node.kind)) +
                                ", which computes nothing",
                            "name nodes that compute something");
        if (depends[id.at()])
            return cutError("torchwright.as_inputs", "node " + graph.label(id) + " reads another node of the list",
                            "leave one of the two out");
        out.at(id) = inputOf(node);
    }
    return withoutUnneeded(out);
}

Result<std::vector<NodeId>> nodesOfList(const NodeGraph& graph, std::string_view list, std::string_view setting) {
    std::vector<NodeId> nodes;
    for (const std::string& part : text::split(list, ',')) {
        const std::string_view word = trimmed(part);
        if (word.empty()) continue;
        const auto number = text::parseInt(word);
        const NodeId id = number ? graph.find(*number) : NodeId{};
        if (!id.isValid())
            return cutError(setting, "there is no node " + text::quoted(word),
                            "name nodes by their number, from " + std::to_string(graph.nodes.front().number) + " to " +
                                std::to_string(graph.nodes.back().number));
        if (std::ranges::find(nodes, id) == nodes.end()) nodes.push_back(id);
    }
    return nodes;
}

Result<NodeGraph> cutAsAsked(const NodeGraph& graph, const CutSettings& settings) {
    NodeGraph out = graph;
    const auto isolate = nodesOfList(out, settings.isolate, "torchwright.isolate");
    if (!isolate) return isolate.error();
    if (!isolate.value().empty()) {
        auto part = isolated(out, isolate.value());
        if (!part) return part;
        out = std::move(part).value();
    }
    for (const std::string& part : text::split(settings.stub, ',')) {
        if (trimmed(part).empty()) continue;
        auto without = stubbed(out, trimmed(part));
        if (!without) return without;
        out = std::move(without).value();
    }
    const auto inputs = nodesOfList(out, settings.asInputs, "torchwright.as_inputs");
    if (!inputs) return inputs.error();
    if (inputs.value().empty()) return out;
    return withInputs(out, inputs.value());
}

Result<NodeGraph> preparedGraph(const NodeGraph& graph, const CutSettings& settings, Columns positionWidth) {
    auto cut = cutAsAsked(graph, settings);
    if (!cut) return cut;
    return withPosition(stripped(cut.value()), positionWidth);
}

}  // namespace memplan::torchwright

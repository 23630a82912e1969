// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torchwright/node_sketch.h"

#include "engine/torchwright/graph/graph_json.h"

#include <fstream>
#include <stdexcept>
#include <utility>

namespace memplan::test {

using namespace torchwright;

NodeSketch::NodeSketch(Columns positionWidth) {
    graph_.name = "sketch";
    graph_.position = add(NodeKind::PosEncoding, positionWidth, {});
}

NodeId NodeSketch::add(NodeKind kind, Columns width, std::vector<NodeId> inputs) {
    Node node;
    node.number = static_cast<std::int64_t>(graph_.size());
    node.kind = kind;
    node.width = width;
    node.inputs = std::move(inputs);
    graph_.nodes.push_back(std::move(node));
    return NodeId::of(graph_.size() - 1);
}

NodeId NodeSketch::input(Columns width) {
    const NodeId id = add(NodeKind::InputNode, width, {});
    at(id).data = InputData{};
    return id;
}

NodeId NodeSketch::literal(std::vector<float> value) {
    const NodeId id = add(NodeKind::LiteralValue, static_cast<Columns>(value.size()), {});
    at(id).data = LiteralData{std::move(value)};
    return id;
}

NodeId NodeSketch::linear(NodeId x, Columns width, bool hasBias) {
    const NodeId id = add(NodeKind::Linear, width, {x});
    LinearData data;
    data.inputWidth = widthOf(x);
    data.hasBias = hasBias;
    at(id).data = data;
    at(id).params = denseParams(at(id));
    return id;
}

NodeId NodeSketch::relu(NodeId x) {
    return add(NodeKind::ReLU, widthOf(x), {x});
}

NodeId NodeSketch::chain(NodeId x, Columns hidden, Columns width) {
    return linear(relu(linear(x, hidden, true)), width, true);
}

NodeId NodeSketch::add(NodeId a, NodeId b) {
    return add(NodeKind::Add, widthOf(a), {a, b});
}

NodeId NodeSketch::concatenate(std::vector<NodeId> parts) {
    Columns width = 0;
    for (const NodeId part : parts)
        width += widthOf(part);
    return add(NodeKind::Concatenate, width, std::move(parts));
}

NodeId NodeSketch::attn(NodeId query, NodeId key, NodeId value, Columns width) {
    const NodeId id = add(NodeKind::Attn, width, {query, key, value});
    AttnData data;
    data.qk = 8;
    data.v = width;
    data.queryWidth = widthOf(query);
    data.keyWidth = widthOf(key);
    data.valueWidth = widthOf(value);
    at(id).data = data;
    at(id).params = denseParams(at(id));
    return id;
}

NodeId NodeSketch::assertion(NodeId x) {
    return add(NodeKind::Assert, widthOf(x), {x});
}

void NodeSketch::annotate(const std::string& annotation, std::vector<NodeId> nodes) {
    for (const NodeId id : nodes)
        at(id).annotation = annotation;
}

NodeGraph NodeSketch::build(NodeId output, std::vector<NodeId> extraOutputs) const {
    NodeGraph graph = graph_;
    graph.extraOutputs = std::move(extraOutputs);
    graph.output = output;
    return withoutUnneeded(graph);
}

nlohmann::json recordedFile(const std::string& file) {
    std::ifstream in(MEMPLAN_TEST_DATA "/torchwright/" + file);
    if (!in) throw std::runtime_error(file + " is not there");
    return nlohmann::json::parse(in);
}

NodeGraph recordedGraph(const std::string& name) {
    const auto read = readGraph(recordedFile(name + ".graph.json").dump(), {}, {});
    if (!read) throw std::runtime_error(name + ": " + read.error().primary().message);
    return stripped(read.value().graph);
}

ScheduleOptions optionsOf(Columns d, Slots dHidden, LocalRouting routing) {
    ScheduleOptions options;
    options.d = d;
    options.dHead = 16;
    options.dHidden = dHidden;
    options.localInAttention = routing;
    return options;
}

std::vector<std::int64_t> numbersOf(const NodeGraph& graph, const std::vector<NodeId>& ids) {
    std::vector<std::int64_t> numbers;
    for (const NodeId id : ids)
        numbers.push_back(graph.at(id).number);
    return numbers;
}

}  // namespace memplan::test

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/lower/node_maker.h"

#include <algorithm>
#include <memory>

namespace memplan::torchwright::lower {
namespace {

TensorPtr matrixOf(const Affine& map) {
    Tensor tensor;
    tensor.rows = map.rows;
    tensor.columns = map.columns;
    tensor.entries = map.entries;
    std::ranges::sort(tensor.entries, {}, &Tensor::Entry::index);
    return std::make_shared<const Tensor>(std::move(tensor));
}

TensorPtr vectorOf(const std::vector<double>& values, Columns columns) {
    Tensor tensor;
    tensor.columns = columns;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) tensor.entries.push_back({static_cast<std::int64_t>(i), static_cast<float>(values[i])});
    return std::make_shared<const Tensor>(std::move(tensor));
}

bool hasEntry(const std::vector<double>& values) {
    return std::ranges::any_of(values, [](double v) { return v != 0; });
}

}  // namespace

void Affine::put(std::int64_t row, std::int64_t column, double value) {
    if (value != 0) entries.push_back({row * columns + column, static_cast<float>(value)});
}

Affine scaled(Columns width, double factor) {
    Affine map(width, width);
    for (Columns i = 0; i < width; ++i)
        map.put(i, i, factor);
    return map;
}

Affine shifted(Columns rows, Columns columns, std::int64_t shift) {
    Affine map(rows, columns);
    for (Columns i = 0; i < rows; ++i)
        if (i + shift >= 0 && i + shift < columns) map.put(i, i + shift, 1);
    return map;
}

NodeId NodeMaker::make(NodeKind kind, Columns width, std::vector<NodeId> inputs, NodeData data) {
    Node node;
    node.number = firstNumber_ + static_cast<std::int64_t>(graph.size());
    node.kind = kind;
    node.width = width;
    node.inputs = std::move(inputs);
    node.data = std::move(data);
    node.params = denseParams(node);
    graph.nodes.push_back(std::move(node));
    return NodeId::of(graph.size() - 1);
}

NodeId NodeMaker::input(const std::string& name, Columns width) {
    const NodeId id = make(NodeKind::InputNode, width, {}, InputData{});
    graph.at(id).name = name;
    return id;
}

NodeId NodeMaker::embedding(const std::string& inputName, Columns width, std::int64_t rows,
                            const std::vector<double>& table) {
    EmbeddingData data;
    data.maxVocab = rows;
    data.inputName = inputName;
    if (table.empty()) {
        hasAllWeights = false;
    } else {
        Affine map(static_cast<Columns>(rows), width);
        for (std::size_t i = 0; i < table.size(); ++i)
            if (table[i] != 0) map.entries.push_back({static_cast<std::int64_t>(i), static_cast<float>(table[i])});
        data.table = matrixOf(map);
        for (std::int64_t i = 0; i < rows; ++i)
            data.vocab.push_back(std::to_string(i));
    }
    return make(NodeKind::Embedding, width, {}, std::move(data));
}

NodeId NodeMaker::literal(const std::vector<double>& values) {
    return make(NodeKind::LiteralValue, static_cast<Columns>(values.size()), {},
                LiteralData{std::vector<float>(values.begin(), values.end())});
}

NodeId NodeMaker::linear(NodeId x, Affine map) {
    LinearData data;
    data.inputWidth = map.rows;
    data.hasBias = map.hasUnknownBias || hasEntry(map.bias);
    if (map.isKnown) {
        data.nonZeros = static_cast<std::int64_t>(map.entries.size());
        data.matrix = matrixOf(map);
        data.bias = vectorOf(map.bias, map.columns);
    } else {
        hasAllWeights = false;
    }
    return make(NodeKind::Linear, map.columns, {x}, std::move(data));
}

NodeId NodeMaker::relu(NodeId x) {
    return make(NodeKind::ReLU, width(x), {x}, {});
}

NodeId NodeMaker::add(NodeId a, NodeId b) {
    return make(NodeKind::Add, width(a), {a, b}, {});
}

NodeId NodeMaker::concatenate(const std::vector<NodeId>& parts) {
    if (parts.size() == 1) return parts.front();
    Columns all = 0;
    for (const NodeId part : parts)
        all += width(part);
    return make(NodeKind::Concatenate, all, parts, {});
}

NodeId NodeMaker::attend(const Head& head) {
    AttnData data;
    data.qk = head.queryMap.columns;
    data.v = head.valueMap.columns;
    data.queryWidth = head.queryMap.rows;
    data.keyWidth = head.keyMap.rows;
    data.valueWidth = head.valueMap.rows;
    data.queryMatrix = matrixOf(head.queryMap);
    data.keyMatrix = matrixOf(head.keyMap);
    data.valueMatrix = matrixOf(head.valueMap);
    data.outputMatrix = matrixOf(scaled(data.v, 1));
    return make(NodeKind::Attn, head.valueMap.columns, {head.query, head.key, head.value}, std::move(data));
}

void NodeMaker::addBias(NodeId id, const std::vector<double>& bias, bool isKnown) {
    Node& node = graph.at(id);
    auto& data = std::get<LinearData>(node.data);
    if (!isKnown || !data.bias) {
        hasAllWeights = hasAllWeights && isKnown;
        data.hasBias = data.hasBias || !isKnown || hasEntry(bias);
        data.bias = nullptr;
        return;
    }
    std::vector<double> sum = bias;
    for (const Tensor::Entry& e : data.bias->entries)
        sum[static_cast<std::size_t>(e.index)] += e.value;
    data.bias = vectorOf(sum, node.width);
    data.hasBias = hasEntry(sum);
}

void NodeMaker::name(std::size_t first, const std::string& op, const std::string& annotation) {
    for (std::size_t i = first; i < graph.size(); ++i) {
        Node& node = graph.nodes[i];
        node.name = i + 1 == graph.size() ? op : op + "/" + std::to_string(i - first);
        node.annotation = annotation;
    }
}

NodeGraph NodeMaker::take(NodeId output, std::vector<NodeId> extraOutputs) {
    graph.output = output;
    graph.extraOutputs = std::move(extraOutputs);
    graph.hasTensors = hasAllWeights;
    for (Node& node : graph.nodes) {
        if (hasAllWeights) break;
        if (auto* linear = std::get_if<LinearData>(&node.data)) linear->matrix = linear->bias = nullptr;
        if (auto* embedding = std::get_if<EmbeddingData>(&node.data)) embedding->table = nullptr;
        if (auto* attn = std::get_if<AttnData>(&node.data))
            attn->queryMatrix = attn->keyMatrix = attn->valueMatrix = attn->outputMatrix = nullptr;
    }
    return withoutUnneeded(graph);
}

}  // namespace memplan::torchwright::lower

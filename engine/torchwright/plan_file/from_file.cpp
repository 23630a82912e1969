// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/plan_file/from_file.h"

#include "engine/base/text.h"
#include "engine/base/word_table.h"

#include <array>

namespace memplan::torchwright::file {
namespace {

Error wrong(std::string message) {
    return makeError("PLN-000", "", std::move(message));
}

/// The value of an enumeration that has this word.
template <class E, std::size_t N>
Result<E> named(const std::array<E, N>& values, std::string_view (*nameOf)(E), const std::string& word) {
    const std::optional<E> value = valueNamed(values, nameOf, word);
    if (!value) return wrong("unknown word " + text::quoted(word));
    return *value;
}

constexpr std::array kAttention{AttentionKind::ComputeAttn, AttentionKind::ComputeLinear, AttentionKind::ComputeAdd,
                                AttentionKind::AddInto,     AttentionKind::Cancel,        AttentionKind::DeltaTransfer};
constexpr std::array kMlp{MlpKind::ComputeRelu, MlpKind::StandaloneRelu, MlpKind::LinearBypass, MlpKind::LiteralValue,
                          MlpKind::Bias};

/// Keeps the first thing that is wrong; what is read after it does not matter.
class Reader {
public:
    Reader(const NodeGraph& graph, Columns d) : graph_(graph), d_(d) {}

    std::optional<Error> error;

    template <class T> T take(Result<T> result) {
        if (result) return std::move(result).value();
        if (!error) error = std::move(result).error();
        return T{};
    }

    [[nodiscard]] NodeId node(std::int64_t number) { return take(nodeFromFile(graph_, number)); }
    [[nodiscard]] ColumnList columns(const Runs& runs) { return take(columnsFromFile(runs, d_)); }

    AttentionOp attention(const Op& from) {
        AttentionOp op;
        op.kind = take(named(kAttention, opName, from.op));
        const bool hasNode = op.kind != AttentionKind::Cancel;
        if (hasNode != from.node.has_value() && !error) error = wrong("an operation that computes names its node");
        if (from.node) op.node = node(*from.node);
        op.heads = from.heads;
        op.target = columns(from.target);
        op.source = columns(from.source);
        op.sourceB = columns(from.sourceB);
        op.query = columns(from.query);
        op.key = columns(from.key);
        op.value = columns(from.value);
        return op;
    }

    MlpOp mlp(const Op& from) {
        MlpOp op;
        op.kind = take(named(kMlp, opName, from.op));
        if (!from.node && !error) error = wrong("an operation of the MLP names its node");
        op.node = node(from.node.value_or(0));
        op.target = columns(from.target);
        op.source = columns(from.source);
        if (from.slotRange) op.slotRange = {from.slotRange->first, from.slotRange->second};
        return op;
    }

    torchwright::Layer layer(const Layer& from) {
        torchwright::Layer to;
        for (const Op& op : from.attention)
            to.attention.push_back(attention(op));
        for (const Op& op : from.mlp)
            to.mlp.push_back(mlp(op));
        to.heads = from.heads;
        to.slotsUsed = from.slotsUsed;
        to.params = from.params;
        to.occupiedBefore = from.occupiedBefore;
        to.occupiedAfter = from.occupiedAfter;
        to.released = take(nodesFromFile(graph_, from.released));
        for (const Refusal& r : from.refused)
            to.refused.push_back({node(r.node), r.cause});
        to.binding = from.binding;
        to.isForcedByOrder = from.isForcedByOrder;
        return to;
    }

private:
    const NodeGraph& graph_;
    Columns d_;
};

Result<NodeData> dataOf(const Node& from, NodeKind kind) {
    const auto width = [&](std::size_t i) { return i < from.widths.size() ? from.widths[i] : 0; };
    const std::size_t wanted = kind == NodeKind::Linear ? 1 : kind == NodeKind::Attn ? 5 : 0;
    if (from.widths.size() != wanted) return wrong("node " + std::to_string(from.number) + " has other widths");
    switch (kind) {
    case NodeKind::Linear:
        return NodeData(LinearData{width(0), from.hasBias, from.nonZeros, nullptr, nullptr});
    case NodeKind::Attn:
        return NodeData(AttnData{width(0), width(1), width(2), width(3), width(4), nullptr, nullptr, nullptr, nullptr});
    case NodeKind::LiteralValue:
        return NodeData(LiteralData{std::vector<float>(from.value.begin(), from.value.end())});
    case NodeKind::InputNode:
        return NodeData(InputData{from.range.first, from.range.second});
    case NodeKind::Embedding:
        return NodeData(EmbeddingData{from.maxVocab, from.inputName, {}, nullptr});
    default:
        return NodeData();
    }
}

Result<torchwright::Node> plainNode(const Node& from) {
    const auto kind = kindOf(from.type);
    if (!kind) return wrong("unknown type " + text::quoted(from.type));
    if (from.width < 0) return wrong("node " + std::to_string(from.number) + " has a negative width");
    const auto inputs = inputCount(*kind);
    if (inputs ? from.inputs.size() != *inputs : from.inputs.empty())
        return wrong("node " + std::to_string(from.number) + " has another number of inputs than its type");
    torchwright::Node to;
    to.number = from.number;
    to.kind = *kind;
    to.width = from.width;
    to.afterMissing = from.afterMissing;
    to.name = from.name;
    to.annotation = from.annotation;
    to.params = from.params;
    auto data = dataOf(from, *kind);
    if (!data) return std::move(data).error();
    to.data = std::move(data).value();
    return to;
}

}  // namespace

Result<NodeId> nodeFromFile(const NodeGraph& graph, std::int64_t number) {
    const NodeId id = graph.find(number);
    if (!id.isValid()) return wrong("the graph has no node " + std::to_string(number));
    return id;
}

Result<std::vector<NodeId>> nodesFromFile(const NodeGraph& graph, const std::vector<std::int64_t>& numbers) {
    std::vector<NodeId> ids;
    for (const std::int64_t number : numbers) {
        auto id = nodeFromFile(graph, number);
        if (!id) return std::move(id).error();
        ids.push_back(id.value());
    }
    return ids;
}

Result<ColumnList> columnsFromFile(const Runs& runs, Columns d) {
    ColumnList columns;
    std::int64_t total = 0;
    for (const auto& [first, count] : runs) {
        if (first < 0 || count < 1 || first > d - count)
            return wrong("columns [" + std::to_string(first) + ", " + std::to_string(count) +
                         "] do not lie in the stream");
        total += count;
        if (total > std::int64_t{64} * d) return wrong("a list of columns is longer than any node can have");
        for (Columns c = first; c < first + count; ++c)
            columns.append(c);
    }
    return columns;
}

Result<NodeGraph> graphFromFile(const Graph& from) {
    NodeGraph graph;
    graph.name = from.name;
    for (const Node& node : from.nodes) {
        auto plain = plainNode(node);
        if (!plain) return std::move(plain).error();
        if (!graph.nodes.empty() && graph.nodes.back().number >= node.number)
            return wrong("nodes do not stand by ascending id");
        graph.nodes.push_back(std::move(plain).value());
    }
    for (std::size_t i = 0; i < from.nodes.size(); ++i) {
        auto inputs = nodesFromFile(graph, from.nodes[i].inputs);
        auto after = nodesFromFile(graph, from.nodes[i].after);
        if (!inputs) return std::move(inputs).error();
        if (!after) return std::move(after).error();
        graph.nodes[i].inputs = std::move(inputs).value();
        graph.nodes[i].after = std::move(after).value();
    }
    auto outputs = nodesFromFile(graph, from.extraOutputs);
    auto output = nodeFromFile(graph, from.output);
    auto position = nodeFromFile(graph, from.position);
    if (!outputs) return std::move(outputs).error();
    if (!output) return std::move(output).error();
    if (!position) return std::move(position).error();
    graph.extraOutputs = std::move(outputs).value();
    graph.output = output.value();
    graph.position = position.value();
    if (topologicalOrder(graph).size() < graph.size()) return wrong("the graph has a cycle");
    return graph;
}

Result<std::vector<torchwright::Layer>> layersFromFile(const NodeGraph& graph, const std::vector<Layer>& from,
                                                       Columns d) {
    Reader reader(graph, d);
    std::vector<torchwright::Layer> layers;
    for (const Layer& layer : from) {
        layers.push_back(reader.layer(layer));
        if (reader.error) return *reader.error;
    }
    return layers;
}

}  // namespace memplan::torchwright::file

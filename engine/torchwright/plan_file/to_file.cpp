// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/plan_file/to_file.h"

namespace memplan::torchwright::file {
namespace {

class Writer {
public:
    explicit Writer(const NodeGraph& graph) : graph_(graph) {}

    [[nodiscard]] std::int64_t number(NodeId id) const { return graph_.at(id).number; }
    [[nodiscard]] std::vector<std::int64_t> numbers(const std::vector<NodeId>& ids) const {
        std::vector<std::int64_t> list;
        for (const NodeId id : ids)
            list.push_back(number(id));
        return list;
    }

    [[nodiscard]] Op op(const AttentionOp& from) const {
        Op to;
        to.op = opName(from.kind);
        if (from.node.isValid()) to.node = number(from.node);
        to.heads = from.heads;
        to.target = runsOf(from.target);
        to.source = runsOf(from.source);
        to.sourceB = runsOf(from.sourceB);
        to.query = runsOf(from.query);
        to.key = runsOf(from.key);
        to.value = runsOf(from.value);
        return to;
    }

    [[nodiscard]] Op op(const MlpOp& from) const {
        Op to;
        to.op = opName(from.kind);
        to.node = number(from.node);
        to.target = runsOf(from.target);
        to.source = runsOf(from.source);
        if (from.kind != MlpKind::Bias) to.slotRange.emplace(from.slotRange.first, from.slotRange.count);
        return to;
    }

    [[nodiscard]] Layer layer(const torchwright::Layer& from) const {
        Layer to;
        to.heads = from.heads;
        to.slotsUsed = from.slotsUsed;
        to.params = from.params;
        to.occupiedBefore = from.occupiedBefore;
        to.occupiedAfter = from.occupiedAfter;
        for (const AttentionOp& o : from.attention)
            to.attention.push_back(op(o));
        for (const MlpOp& o : from.mlp)
            to.mlp.push_back(op(o));
        to.released = numbers(from.released);
        to.binding = from.binding;
        for (const torchwright::Refusal& r : from.refused)
            to.refused.push_back({number(r.node), r.cause});
        to.isForcedByOrder = from.isForcedByOrder;
        return to;
    }

    [[nodiscard]] Node node(const torchwright::Node& from) const {
        Node to;
        to.number = from.number;
        to.type = kindName(from.kind);
        to.width = from.width;
        to.inputs = numbers(from.inputs);
        to.after = numbers(from.after);
        to.afterMissing = from.afterMissing;
        to.name = from.name;
        to.annotation = from.annotation;
        to.params = from.params;
        if (const auto* linear = std::get_if<LinearData>(&from.data)) {
            to.widths = {linear->inputWidth};
            to.hasBias = linear->hasBias;
            to.nonZeros = linear->nonZeros;
        } else if (const auto* attn = std::get_if<AttnData>(&from.data)) {
            to.widths = {attn->qk, attn->v, attn->queryWidth, attn->keyWidth, attn->valueWidth};
        } else if (const auto* literal = std::get_if<LiteralData>(&from.data)) {
            to.value.assign(literal->value.begin(), literal->value.end());
        } else if (const auto* input = std::get_if<InputData>(&from.data)) {
            to.range = {input->low, input->high};
        } else if (const auto* embedding = std::get_if<EmbeddingData>(&from.data)) {
            to.maxVocab = embedding->maxVocab;
            to.inputName = embedding->inputName;
        }
        return to;
    }

private:
    const NodeGraph& graph_;
};

}  // namespace

Runs runsOf(const ColumnList& columns) {
    Runs runs;
    for (const ColumnRun& run : columns.runs())
        runs.emplace_back(run.first, run.count);
    return runs;
}

Graph graphToFile(const NodeGraph& graph) {
    const Writer writer(graph);
    Graph to;
    to.name = graph.name;
    to.output = writer.number(graph.output);
    to.extraOutputs = writer.numbers(graph.extraOutputs);
    to.position = writer.number(graph.position);
    for (const torchwright::Node& node : graph.nodes)
        to.nodes.push_back(writer.node(node));
    return to;
}

std::vector<Layer> layersToFile(const NodeGraph& graph, const Schedule& schedule) {
    std::vector<Layer> layers;
    for (const torchwright::Layer& layer : schedule.layers)
        layers.push_back(Writer(graph).layer(layer));
    return layers;
}

std::vector<std::int64_t> numbersOf(const NodeGraph& graph, const std::vector<NodeId>& ids) {
    return Writer(graph).numbers(ids);
}

}  // namespace memplan::torchwright::file

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/report/annotation_table.h"

#include "engine/torchwright/analysis/paths.h"
#include "engine/torchwright/scheduler/costs.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::torchwright {
namespace {

constexpr std::string_view kCancel = "(cancel)";

std::int64_t entriesOf(const TensorPtr& tensor) {
    return tensor ? static_cast<std::int64_t>(tensor->entries.size()) : 0;
}

std::int64_t nonZerosOf(const Node& node) {
    if (node.is(NodeKind::Linear))
        return std::max<std::int64_t>(0, node.linear().nonZeros) + entriesOf(node.linear().bias);
    if (node.is(NodeKind::Embedding)) return entriesOf(node.embedding().table);
    if (!node.is(NodeKind::Attn)) return 0;
    const AttnData& a = node.attn();
    return entriesOf(a.queryMatrix) + entriesOf(a.keyMatrix) + entriesOf(a.valueMatrix) + entriesOf(a.outputMatrix);
}

class Table {
public:
    Table(const NodeGraph& graph, const Schedule& schedule)
        : graph_(graph), schedule_(schedule), isFed_(graph.size(), false), feeds_(graph.size(), false),
          isRead_(neededNodes(graph)) {
        for (std::size_t i = 0; i < graph.size(); ++i)
            for (const NodeId input : graph.nodes[i].inputs)
                noteEdge(input, NodeId::of(i));
    }

    std::vector<AnnotationRow> run() {
        row(kCancel);
        for (std::size_t i = 0; i < graph_.size(); ++i)
            if (isRead_[i]) addNode(NodeId::of(i));
        for (const Layer& layer : schedule_.layers)
            addLayer(layer);
        std::vector<AnnotationRow> list;
        for (auto& [name, row] : rows_)
            list.push_back(finished(std::move(row), layers_[name]));
        return list;
    }

private:
    void noteEdge(NodeId from, NodeId to) {
        if (graph_.at(from).is(NodeKind::ReLU)) isFed_[to.at()] = true;
        if (graph_.at(to).is(NodeKind::ReLU)) feeds_[from.at()] = true;
    }

    AnnotationRow& row(std::string_view annotation) {
        AnnotationRow& found = rows_[std::string(annotation)];
        found.annotation = annotation;
        return found;
    }

    void addNode(NodeId id) {
        const Node& node = graph_.at(id);
        AnnotationRow& r = row(annotationName(node));
        ++r.nodes;
        r.graphParams += node.params;
        r.nonZeros += nonZerosOf(node);
        if (node.is(NodeKind::ReLU)) r.neurons += node.width;
        r.heads += estimatedHeads(id);
        if (node.is(NodeKind::Linear) || node.is(NodeKind::Attn))
            r.upstreamEstimate += attentionHeads(node, dHead()) * schedule_.options.headParams();
        if (node.is(NodeKind::Concatenate)) return;
        const int layer = schedule_.nodeLayer.empty() ? -1 : schedule_.nodeLayer[id.at()];
        if (layer >= 0) layers_[r.annotation].insert(layer);
    }

    [[nodiscard]] Columns dHead() const { return schedule_.options.dHead; }

    [[nodiscard]] int estimatedHeads(NodeId id) const {
        const Node& node = graph_.at(id);
        if (node.is(NodeKind::Add)) return headsFor(node.width, dHead());
        const bool isAlone = node.is(NodeKind::Linear) && !isFed_[id.at()] && !feeds_[id.at()];
        return isAlone || node.is(NodeKind::Attn) ? attentionHeads(node, dHead()) : 0;
    }

    void addLayer(const Layer& layer) {
        for (const AttentionOp& op : layer.attention)
            row(op.node.isValid() ? annotationName(graph_.at(op.node)) : kCancel).scheduledHeads += op.heads;
        for (const MlpOp& op : layer.mlp)
            row(annotationName(graph_.at(op.node))).scheduledSlots += op.slotRange.count;
    }

    AnnotationRow finished(AnnotationRow r, const std::set<int>& layers) const {
        r.scheduledParams =
            r.scheduledHeads * schedule_.options.headParams() + r.scheduledSlots * schedule_.options.slotParams();
        if (!layers.empty()) r.span = LayerSpan{*layers.begin(), *layers.rbegin(), static_cast<int>(layers.size())};
        return r;
    }

    const NodeGraph& graph_;
    const Schedule& schedule_;
    std::vector<bool> isFed_, feeds_;  ///< by node: a ReLU is among its inputs, among its readers
    std::vector<bool> isRead_;
    std::map<std::string, AnnotationRow> rows_;
    std::map<std::string, std::set<int>> layers_;
};

void addTo(AnnotationRow& sum, const AnnotationRow& row) {
    sum.nodes += row.nodes;
    sum.neurons += row.neurons;
    sum.heads += row.heads;
    sum.graphParams += row.graphParams;
    sum.nonZeros += row.nonZeros;
    sum.upstreamEstimate += row.upstreamEstimate;
    sum.scheduledHeads += row.scheduledHeads;
    sum.scheduledSlots += row.scheduledSlots;
    sum.scheduledParams += row.scheduledParams;
    if (!row.span) return;
    if (!sum.span) sum.span = LayerSpan{row.span->first, row.span->last, 0};
    sum.span->first = std::min(sum.span->first, row.span->first);
    sum.span->last = std::max(sum.span->last, row.span->last);
    sum.span->distinct = std::max(sum.span->distinct, row.span->distinct);
}

}  // namespace

double AnnotationRow::density() const {
    return scheduledParams == 0 ? 0 : static_cast<double>(graphParams) / static_cast<double>(scheduledParams);
}

std::vector<AnnotationRow> annotationTable(const NodeGraph& graph, const Schedule& schedule) {
    return Table(graph, schedule).run();
}

std::vector<AnnotationRow> annotationGroups(const std::vector<AnnotationRow>& rows) {
    std::map<std::string, AnnotationRow> groups;
    for (const AnnotationRow& row : rows) {
        const std::string name = row.annotation.substr(0, row.annotation.find('/'));
        AnnotationRow& group = groups[name];
        group.annotation = name;
        addTo(group, row);
    }
    std::vector<AnnotationRow> list;
    for (auto& [name, group] : groups)
        list.push_back(std::move(group));
    return list;
}

AnnotationRow annotationTotal(const std::vector<AnnotationRow>& rows) {
    AnnotationRow total;
    total.annotation = "total";
    for (const AnnotationRow& row : rows)
        addTo(total, row);
    return total;
}

}  // namespace memplan::torchwright

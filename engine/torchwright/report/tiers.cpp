// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/report/tiers.h"

namespace memplan::torchwright {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Columns valueColumns(const NodeGraph& graph, const AttentionOp& op) {
    switch (op.kind) {
    case AttentionKind::ComputeAttn:
        return graph.at(op.node).attn().v;
    case AttentionKind::ComputeAdd:
    case AttentionKind::DeltaTransfer:
        return op.source.size() + op.sourceB.size();
    case AttentionKind::Cancel:
        return op.target.size();
    default:
        return op.source.size();
    }
}

}  // namespace

double ParameterTiers::density() const {
    return ratio(graph, allocated);
}

double ParameterTiers::utilisation() const {
    return ratio(allocated, capacity);
}

double ParameterTiers::overall() const {
    return ratio(graph, capacity);
}

double ParameterTiers::cancelShare() const {
    return ratio(cancel, allocated);
}

ParameterTiers tiersOf(const NodeGraph& graph, const Schedule& schedule) {
    ParameterTiers tiers;
    for (const Node& node : graph.nodes)
        tiers.graph += node.params;
    for (const Layer& layer : schedule.layers) {
        tiers.allocated +=
            layer.heads * schedule.options.headParams() + layer.slotsUsed * schedule.options.slotParams();
        for (const MlpOp& op : layer.mlp)
            if (op.kind == MlpKind::Bias) tiers.allocated += op.target.size();
        for (const AttentionOp& op : layer.attention)
            if (op.kind == AttentionKind::Cancel) tiers.cancel += op.heads * schedule.options.headParams();
    }
    tiers.capacity = schedule.options.layerCapacity() * schedule.layerCount();
    return tiers;
}

double exchangeRate(const ScheduleOptions& options) {
    return ratio(options.headParams(), options.slotParams());
}

std::array<int, 5> bindingsOf(const Schedule& schedule) {
    std::array<int, 5> counts{};
    for (const Layer& layer : schedule.layers)
        ++counts[static_cast<std::size_t>(layer.binding)];
    return counts;
}

double headWidthUsed(const NodeGraph& graph, const Schedule& schedule) {
    std::int64_t used = 0;
    for (const Layer& layer : schedule.layers)
        for (const AttentionOp& op : layer.attention)
            used += valueColumns(graph, op);
    return ratio(used, std::int64_t{schedule.headsTotal} * schedule.options.dHead);
}

}  // namespace memplan::torchwright

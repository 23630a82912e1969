// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scheduler/layer_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace memplan::torchwright {

SchedulerState::SchedulerState(const NodeGraph& g, const Relations& r, const ScheduleOptions& o)
    : graph(g), relations(r), options(o), progress(g, r), columns(o.d, g.size()), admission(g, r, o),
      holdingOf(g.size(), -1), nodeLayer(g.size(), -1) {}

ColumnList SchedulerState::columnsRead(NodeId input) const {
    ColumnList list;
    if (!graph.at(input).is(NodeKind::Concatenate)) return columns.of(input);
    for (const NodeId leaf : relations.reads[input.at()])
        list.append(columns.of(leaf));
    return list;
}

LayerBuilder::LayerBuilder(SchedulerState& state, int layer)
    : s_(state), layerIndex_(layer), heads_(state.options.headsPerLayer(), state.options.dHead),
      chainFinder_(state.graph, state.relations, state.progress.computed()), wasReady_(state.graph.size(), false),
      isDeadListed_(state.graph.size(), false), isBypassListed_(state.graph.size(), false),
      isRefused_(state.graph.size(), false), isProtected_(state.graph.size(), false),
      isLive_(state.graph.size(), false) {}

Layer LayerBuilder::build() {
    layer_.occupiedBefore = s_.columns.occupied();
    classify();
    attention();
    handOff();
    mlp();
    appendCancel();
    layer_.heads = heads_.used();
    layer_.params += std::int64_t{heads_.cancelHeads()} * s_.options.headParams();
    layer_.params += std::int64_t{layer_.slotsUsed} * s_.options.slotParams();
    layer_.occupiedAfter = s_.columns.occupied();
    std::ranges::sort(layer_.released);
    setBinding();
    return std::move(layer_);
}

void LayerBuilder::refuse(NodeId id, Cause cause) {
    if (isRefused_[id.at()]) return;
    isRefused_[id.at()] = true;
    layer_.refused.push_back({id, cause});
}

void LayerBuilder::compute(NodeId id) {
    s_.progress.compute(id);
    s_.nodeLayer[id.at()] = layerIndex_;
}

void LayerBuilder::noteHolding(NodeId owner) {
    s_.holdingOf[owner.at()] = static_cast<int>(s_.holdings.size());
    s_.holdings.push_back({owner, s_.columns.of(owner), layerIndex_, layerIndex_});
}

void LayerBuilder::closeHolding(NodeId owner) {
    s_.holdings[static_cast<std::size_t>(s_.holdingOf[owner.at()])].lastLayer = layerIndex_ - 1;
    layer_.released.push_back(owner);
}

bool LayerBuilder::isAdmitted(NodeId id) {
    if (s_.admission.admits(id)) return true;
    wasAdmissionRefused_ = true;
    refuse(id, Cause::Admission);
    return false;
}

bool LayerBuilder::isUnderPressure() const {
    return s_.columns.freeCount() < s_.options.d * (1 - s_.options.pressureThreshold);
}

int LayerBuilder::priority(NodeId id) const {
    const auto& hints = s_.options.priority;
    return -s_.relations.distance[id.at()] - (hints.empty() ? 0 : hints[id.at()]);
}

Columns LayerBuilder::netCost(NodeId id) const {
    Columns cost = s_.graph.at(id).width;
    for (const NodeId leaf : s_.relations.reads[id.at()])
        if (s_.columns.owns(leaf) && s_.progress.diesWith(leaf, id)) cost -= s_.graph.at(leaf).width;
    return cost;
}

Columns LayerBuilder::chainNetCost(const Chain& chain) const {
    Columns cost = s_.graph.at(chain.second).width;
    if (!chain.isExclusive && !s_.columns.owns(chain.first)) cost += s_.graph.at(chain.first).width;
    for (const NodeId leaf : s_.relations.reads[chain.first.at()])
        if (s_.columns.owns(leaf) && s_.progress.diesWith(leaf, chain.first)) cost -= s_.graph.at(leaf).width;
    return cost;
}

void LayerBuilder::sortByPressure(std::vector<NodeId>& list, bool underPressure) const {
    std::ranges::stable_sort(list, {},
                             [&](NodeId id) { return std::pair(underPressure ? netCost(id) : 0, priority(id)); });
}

void LayerBuilder::removeFromReady(NodeId id) {
    const auto at = std::ranges::lower_bound(ready_, id);
    if (at != ready_.end() && *at == id) ready_.erase(at);
}

/// A node that found its place after all was not refused. The binding is the cause of the one with the longest way to
/// an output, ties: lower id.
void LayerBuilder::setBinding() {
    std::erase_if(layer_.refused, [this](const Refusal& r) { return s_.progress.isComputed(r.node); });
    std::ranges::sort(layer_.refused, {}, &Refusal::node);
    const auto longest = std::ranges::max_element(
        layer_.refused, {}, [this](const Refusal& r) { return s_.relations.distance[r.node.at()]; });
    if (longest != layer_.refused.end()) {
        layer_.binding = longest->cause;
        return;
    }
    const auto isOnPath = [this](const auto& op) { return op.node.isValid() && s_.relations.isOnLongestPath(op.node); };
    const bool hasOpOnPath =
        std::ranges::any_of(layer_.attention, isOnPath) || std::ranges::any_of(layer_.mlp, isOnPath);
    layer_.isForcedByOrder = hasOpOnPath && layer_.params * 4 < s_.options.layerCapacity();
}

}  // namespace memplan::torchwright

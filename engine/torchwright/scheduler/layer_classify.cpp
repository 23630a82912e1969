// SPDX-License-Identifier: Apache-2.0
// Which nodes a layer may compute (torchwright.md 7.2, 7.4).
#include "engine/torchwright/scheduler/layer_builder.h"

#include <algorithm>
#include <iterator>

namespace memplan::torchwright {

/// A hint may keep a node for a later layer.
std::vector<NodeId> LayerBuilder::readyNow() const {
    const auto& least = s_.options.layerMin;
    std::vector<NodeId> nodes;
    for (const NodeId id : s_.progress.ready())
        if (least.empty() || least[id.at()] <= layerIndex_) nodes.push_back(id);
    return nodes;
}

/// An Add may write onto an addend that nobody else will read.
bool LayerBuilder::isDeadForAdd(NodeId addend) const {
    if (s_.graph.at(addend).is(NodeKind::Concatenate) || addend == s_.graph.position) return false;
    return !s_.relations.isOutput[addend.at()] && s_.progress.openReaders(addend) <= 1;
}

void LayerBuilder::classifyReady(NodeId id) {
    const Node& node = s_.graph.at(id);
    if (!node.is(NodeKind::Add)) {
        ready_.push_back(id);
        return;
    }
    const NodeId first = node.inputs[0], second = node.inputs[1];
    if (isDeadForAdd(first)) {
        freeAdds_.push_back({id, first, second});
    } else if (isDeadForAdd(second)) {
        freeAdds_.push_back({id, second, first});
    } else {
        deferredAdds_.push_back(id);
    }
}

void LayerBuilder::collectDead() {
    for (const NodeId id : s_.columns.owners())
        if (s_.progress.isDead(id)) listDead(id);
}

void LayerBuilder::findChains() {
    const std::vector<Chain> found = chainFinder_.find(ready_);
    for (const Chain& chain : found) {
        removeFromReady(chain.relu);
        removeFromReady(chain.second);
        if (chain.isExclusive) removeFromReady(chain.first);
    }
    chains_.insert(chains_.end(), found.begin(), found.end());
}

void LayerBuilder::classify() {
    for (const NodeId id : readyNow()) {
        wasReady_[id.at()] = true;
        classifyReady(id);
    }
    findChains();
    hadWork_ = !ready_.empty() || !freeAdds_.empty() || !deferredAdds_.empty() || !chains_.empty();
    for (const Chain& chain : chains_)
        isProtected_[s_.graph.at(chain.first).inputs.front().at()] = true;
    collectDead();
}

void LayerBuilder::listBypass(NodeId id) {
    if (isBypassListed_[id.at()]) return;
    isBypassListed_[id.at()] = true;
    bypass_.push_back(id);
}

void LayerBuilder::handOff() {
    std::vector<NodeId> fresh;
    for (const NodeId id : readyNow()) {
        const Node& node = s_.graph.at(id);
        const bool isMlp = node.is(NodeKind::Linear) || node.is(NodeKind::ReLU);
        if (isMlp && !wasReady_[id.at()]) fresh.push_back(id);
    }
    std::vector<NodeId> all;
    std::ranges::merge(ready_, fresh, std::back_inserter(all));
    ready_ = std::move(all);
    findChains();
    if (s_.options.localInAttention != LocalRouting::Never) return;
    for (const NodeId id : ready_)
        if (s_.graph.at(id).is(NodeKind::Linear)) listBypass(id);
}

}  // namespace memplan::torchwright

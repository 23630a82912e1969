// SPDX-License-Identifier: Apache-2.0
// Which nodes a layer may compute (torchwright.md 7.2, 7.4).
#include "engine/torchwright/schedule/layer_builder.h"

#include <algorithm>
#include <iterator>

namespace memplan::torchwright {

bool LayerBuilder::isReady(NodeId id) const {
    const auto& least = s_.options.layerMin;
    return s_.progress.isReady(id) && (least.empty() || least[id.at()] <= layerIndex_);
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
    for (std::size_t i = 0; i < s_.graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        if (s_.columns.owns(id) && s_.progress.isComputed(id) && s_.progress.isDead(id)) listDead(id);
    }
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
    for (std::size_t i = 0; i < s_.graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        if (!isReady(id)) continue;
        wasReady_[i] = true;
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
    for (std::size_t i = 0; i < s_.graph.size(); ++i) {
        const Node& node = s_.graph.nodes[i];
        const bool isMlp = node.is(NodeKind::Linear) || node.is(NodeKind::ReLU) || node.is(NodeKind::LiteralValue);
        if (isMlp && !wasReady_[i] && isReady(NodeId::of(i))) fresh.push_back(NodeId::of(i));
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

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/analysis/chains.h"

#include <utility>

namespace memplan::torchwright {

ChainFinder::ChainFinder(const NodeGraph& graph, const Relations& relations, std::vector<bool> isTaken)
    : graph_(graph), relations_(relations), isTaken_(std::move(isTaken)) {}

bool ChainFinder::completes(NodeId first, NodeId relu) const {
    if (!graph_.at(relu).is(NodeKind::ReLU) || !isFree(relu) || relations_.isOutput[relu.at()]) return false;
    const auto& readers = relations_.effective[relu.at()];
    if (readers.size() != 1) return false;
    const NodeId second = readers.front();
    const bool isLinear = graph_.at(second).is(NodeKind::Linear) && graph_.at(second).inputs.front() == relu;
    return isLinear && isFree(first) && isFree(second);
}

std::vector<Chain> ChainFinder::find(std::span<const NodeId> candidates) {
    std::vector<Chain> chains;
    for (const NodeId first : candidates) {
        if (!graph_.at(first).is(NodeKind::Linear)) continue;
        for (const NodeId relu : relations_.consumers[first.at()]) {
            if (!completes(first, relu)) continue;
            const bool isExclusive = relations_.effective[first.at()].size() == 1 && !relations_.isOutput[first.at()];
            const NodeId second = relations_.effective[relu.at()].front();
            chains.push_back({first, relu, second, isExclusive});
            for (const NodeId member : {first, relu, second})
                isTaken_[member.at()] = true;
            break;
        }
    }
    return chains;
}

std::optional<Chain> chainEndingAt(const NodeGraph& graph, const Relations& relations, NodeId second) {
    if (!graph.at(second).is(NodeKind::Linear)) return std::nullopt;
    const NodeId relu = graph.at(second).inputs.front();
    if (!graph.at(relu).is(NodeKind::ReLU) || relations.isOutput[relu.at()]) return std::nullopt;
    const NodeId first = graph.at(relu).inputs.front();
    if (!graph.at(first).is(NodeKind::Linear) || relations.effective[relu.at()].size() != 1) return std::nullopt;
    const bool isExclusive = relations.effective[first.at()].size() == 1 && !relations.isOutput[first.at()];
    return Chain{first, relu, second, isExclusive};
}

std::vector<Chain> furtherChainsOf(const NodeGraph& graph, const Relations& relations,
                                   const std::vector<Chain>& chains) {
    std::vector<bool> isTaken(graph.size(), false), isOpen(graph.size(), false);
    for (const Chain& chain : chains) {
        isOpen[chain.first.at()] = !chain.isExclusive;
        for (const NodeId member : {chain.first, chain.relu, chain.second})
            isTaken[member.at()] = true;
    }
    std::vector<Chain> further;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const std::optional<Chain> chain = chainEndingAt(graph, relations, NodeId::of(i));
        if (chain && isOpen[chain->first.at()] && !isTaken[i] && !isTaken[chain->relu.at()]) further.push_back(*chain);
    }
    return further;
}

std::vector<Chain> chainsOf(const NodeGraph& graph, const Relations& relations) {
    std::vector<NodeId> all;
    all.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i)
        all.push_back(NodeId::of(i));
    return ChainFinder(graph, relations, std::vector<bool>(graph.size(), false)).find(all);
}

}  // namespace memplan::torchwright

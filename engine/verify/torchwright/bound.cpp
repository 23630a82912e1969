// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/bound.h"

#include <algorithm>

namespace memplan::verify::torchwright {

using memplan::torchwright::LocalRouting;
using memplan::torchwright::Node;
using memplan::torchwright::NodeKind;

std::vector<ChainOfThree> chainsIn(const Program& p) {
    std::vector<ChainOfThree> chains;
    Marked isUsed(p.graph.size(), false);
    const auto isChain = [&](const ChainOfThree& c) {
        return p.graph.at(c.second).is(NodeKind::Linear) && p.graph.at(c.second).inputs.front() == c.relu &&
               !isUsed[c.first.at()] && !isUsed[c.relu.at()] && !isUsed[c.second.at()];
    };
    for (std::size_t i = 0; i < p.graph.size(); ++i) {
        if (!p.graph.nodes[i].is(NodeKind::Linear)) continue;
        std::vector<NodeId> relus = p.readers[i];
        std::ranges::sort(relus);
        for (const NodeId relu : relus) {
            if (!p.graph.at(relu).is(NodeKind::ReLU) || p.graph.at(relu).inputs.front() != NodeId::of(i)) continue;
            if (p.readers[relu.at()].size() != 1 || p.isHeld[relu.at()]) continue;
            const ChainOfThree chain{NodeId::of(i), relu, p.readers[relu.at()].front(),
                                     p.readers[i].size() == 1 && !p.isHeld[i]};
            if (!isChain(chain)) continue;
            isUsed[i] = isUsed[relu.at()] = isUsed[chain.second.at()] = true;
            chains.push_back(chain);
            break;
        }
    }
    return chains;
}

std::vector<ChainOfThree> possibleChainsIn(const Program& p) {
    std::vector<ChainOfThree> ending(p.graph.size());
    for (std::size_t i = 0; i < p.graph.size(); ++i) {
        if (!p.graph.nodes[i].is(NodeKind::ReLU) || p.isHeld[i] || p.readers[i].size() != 1) continue;
        const NodeId relu = NodeId::of(i), first = p.graph.at(relu).inputs.front(), second = p.readers[i].front();
        const Node& end = p.graph.at(second);
        if (p.graph.at(first).is(NodeKind::Linear) && end.is(NodeKind::Linear) && end.inputs.front() == relu)
            ending[second.at()] = {first, relu, second, false};
    }
    return ending;
}

std::vector<ChainOfThree> allChainsIn(const Program& p) {
    std::vector<ChainOfThree> chains = chainsIn(p);
    Marked isFirst(p.graph.size(), false), isUsed(p.graph.size(), false);
    for (const ChainOfThree& c : chains) {
        isFirst[c.first.at()] = !c.isExclusive;
        isUsed[c.first.at()] = isUsed[c.relu.at()] = isUsed[c.second.at()] = true;
    }
    for (const ChainOfThree& c : possibleChainsIn(p)) {
        if (c.first.isValid() && isFirst[c.first.at()] && !isUsed[c.relu.at()] && !isUsed[c.second.at()])
            chains.push_back(c);
    }
    return chains;
}

Bound::Bound(const Program& program, LocalRouting routing)
    : p_(program), routing_(routing), chains_(allChainsIn(program)), ending_(possibleChainsIn(program)),
      chainOf_(program.graph.size(), -1) {
    for (std::size_t i = 0; i < chains_.size(); ++i) {
        const ChainOfThree& c = chains_[i];
        chainOf_[c.relu.at()] = chainOf_[c.second.at()] = static_cast<int>(i);
        if (c.isExclusive) chainOf_[c.first.at()] = static_cast<int>(i);
    }
    finish_ = finishes({});
    layers_ = layersOf(finish_);
}

int Bound::layersWithout(const Marked& free) const {
    return layersOf(finishes(free));
}

int Bound::layersOf(const std::vector<int>& finish) const {
    int last = 0;
    for (const NodeId output : p_.graph.outputs())
        last = std::max(last, finish[output.at()]);
    return (last + 1) / 2;
}

std::vector<int> Bound::finishes(const Marked& free) const {
    std::vector<int> finish(p_.graph.size(), 0);
    const auto isFree = [&](NodeId id) { return !free.empty() && free[id.at()]; };
    // Behind which half-step a value can be read; the first Linear of an exclusive chain never owns columns by itself.
    constexpr int kNever = 1 << 28;
    std::vector<int> stands(p_.graph.size(), 0);
    const auto readable = [&](NodeId id) {
        int at = 0;
        for (const auto& leaves : p_.inputLeaves[id.at()])
            for (const NodeId leaf : leaves)
                at = std::max(at, stands[leaf.at()]);
        return std::min(at, kNever);
    };
    // The MLP of a layer reads behind its attention; attention reads behind the MLP of the layer before.
    const auto behindMlp = [](int at) { return at % 2 == 0 ? at + 2 : at + 1; };
    const auto behindAttention = [](int at) { return at % 2 == 0 ? at + 1 : at + 2; };
    const auto isAllFree = [&](const ChainOfThree& c) { return isFree(c.first) && isFree(c.relu) && isFree(c.second); };
    const auto asChain = [&](const ChainOfThree& c) {
        const int at = readable(c.first);
        return isAllFree(c) ? at : behindMlp(at);
    };
    for (const NodeId id : p_.order) {
        const Node& node = p_.graph.at(id);
        if (memplan::torchwright::isInputLike(node.kind)) continue;
        const int chain = chainOf_[id.at()];
        const ChainOfThree* own = chain >= 0 ? &chains_[static_cast<std::size_t>(chain)] : nullptr;
        const int at = readable(id);
        const bool isTimeless = own != nullptr ? isAllFree(*own) : isFree(id);
        const bool isNothing = node.is(NodeKind::Concatenate) || node.is(NodeKind::Placeholder) || isTimeless;
        const bool isMlp = node.is(NodeKind::ReLU) || (node.is(NodeKind::Linear) && routing_ == LocalRouting::Never);
        int& stand = stands[id.at()];
        stand = isNothing ? at : isMlp ? behindMlp(at) : behindAttention(at);
        if (own != nullptr && own->first == id) stand = kNever;
        if (ending_[id.at()].first.isValid()) stand = std::min(stand, asChain(ending_[id.at()]));
        finish[id.at()] = own != nullptr && own->second != id ? asChain(*own) : stand;
    }
    return finish;
}

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/analysis/asap.h"

#include <algorithm>
#include <optional>

namespace memplan::torchwright {
namespace {

int afterAttention(int ready) {
    return 2 * ((ready + 1) / 2) + 1;
}

int afterMlp(int ready) {
    return 2 * (ready / 2) + 2;
}

class Bound {
public:
    Bound(const AsapQuestion& question, const std::vector<bool>& takesNoTime)
        : q_(question), takesNoTime_(takesNoTime), further_(furtherChainsOf(q_.graph, q_.relations, q_.chains)),
          chainOf_(question.graph.size(), nullptr) {
        for (const Chain& chain : further_)
            chainOf_[chain.relu.at()] = chainOf_[chain.second.at()] = &chain;
        for (const Chain& chain : q_.chains) {
            chainOf_[chain.relu.at()] = chainOf_[chain.second.at()] = &chain;
            if (chain.isExclusive) chainOf_[chain.first.at()] = &chain;
        }
    }

    Asap run() {
        written_.assign(q_.graph.size(), 0);
        Asap asap;
        asap.finish.assign(q_.graph.size(), 0);
        for (const NodeId id : topologicalOrder(q_.graph)) {
            written_[id.at()] = writtenAt(id);
            const Chain* chain = chainOf_[id.at()];
            asap.finish[id.at()] = chain != nullptr && chain->second != id ? chainFinish(*chain) : written_[id.at()];
        }
        for (const NodeId output : q_.graph.outputs())
            asap.layers = std::max(asap.layers, (asap.finish[output.at()] + 1) / 2);
        return asap;
    }

private:
    static constexpr int kNever = 1'000'000'000;

    [[nodiscard]] bool isSkipped(NodeId id) const { return !takesNoTime_.empty() && takesNoTime_[id.at()]; }

    [[nodiscard]] int readyAt(NodeId id) const {
        int ready = 0;
        for (const NodeId leaf : q_.relations.reads[id.at()])
            ready = std::max(ready, written_[leaf.at()]);
        return ready;
    }

    [[nodiscard]] bool isFree(const Chain& chain) const {
        return isSkipped(chain.first) && isSkipped(chain.relu) && isSkipped(chain.second);
    }

    [[nodiscard]] int chainFinish(const Chain& chain) const {
        const int ready = readyAt(chain.first);
        if (ready >= kNever) return kNever;
        return isFree(chain) ? ready : afterMlp(ready);
    }

    /// By an operation of its own. The first Linear of an exclusive chain has none: as soon as it is ready, so is its
    /// chain.
    [[nodiscard]] int aloneAt(NodeId id) const {
        const Node& node = q_.graph.at(id);
        const int ready = readyAt(id);
        const Chain* chain = chainOf_[id.at()];
        if (ready >= kNever || (chain != nullptr && chain->first == id)) return kNever;
        const bool takesNoTime = chain != nullptr ? isFree(*chain) : isSkipped(id);
        if (node.is(NodeKind::Concatenate) || node.is(NodeKind::Placeholder) || takesNoTime) return ready;
        const bool isMlp = node.is(NodeKind::ReLU) || (node.is(NodeKind::Linear) && q_.routing == LocalRouting::Never);
        return isMlp ? afterMlp(ready) : afterAttention(ready);
    }

    /// Any chain that a schedule may form counts: which of two that share a Linear it is depends on what is ready
    /// first.
    [[nodiscard]] int writtenAt(NodeId id) const {
        if (isInputLike(q_.graph.at(id).kind)) return 0;
        const std::optional<Chain> chain = chainEndingAt(q_.graph, q_.relations, id);
        return chain ? std::min(aloneAt(id), chainFinish(*chain)) : aloneAt(id);
    }

    const AsapQuestion& q_;
    const std::vector<bool>& takesNoTime_;
    std::vector<Chain> further_;
    /// By node, of the chains of the whole graph: their members take no time together only, and are reported together.
    std::vector<const Chain*> chainOf_;
    std::vector<int> written_;  ///< when a value stands in columns of its own
};

}  // namespace

Asap asapOf(const AsapQuestion& question) {
    return asapWithout(question, {});
}

Asap asapWithout(const AsapQuestion& question, const std::vector<bool>& takesNoTime) {
    return Bound(question, takesNoTime).run();
}

int reachOf(const AsapQuestion& question, const Asap& bound, const std::vector<bool>& nodes) {
    return bound.layers - asapWithout(question, nodes).layers;
}

int ruleOfThumbLayers(const AsapQuestion& question) {
    std::vector<bool> isAdd(question.graph.size());
    for (std::size_t i = 0; i < isAdd.size(); ++i)
        isAdd[i] = question.graph.nodes[i].is(NodeKind::Add);
    return asapWithout(question, isAdd).layers;
}

}  // namespace memplan::torchwright

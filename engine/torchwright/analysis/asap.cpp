// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/analysis/asap.h"

#include <algorithm>

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
        finish_.assign(q_.graph.size(), 0);
        for (const NodeId id : topologicalOrder(q_.graph))
            finish_[id.at()] = finishOf(id);
        Asap asap;
        for (const NodeId output : q_.graph.outputs())
            asap.layers = std::max(asap.layers, (finish_[output.at()] + 1) / 2);
        asap.finish = std::move(finish_);
        return asap;
    }

private:
    [[nodiscard]] bool isSkipped(NodeId id) const { return !takesNoTime_.empty() && takesNoTime_[id.at()]; }

    [[nodiscard]] int readyAt(NodeId id) const {
        int ready = 0;
        for (const NodeId leaf : q_.relations.reads[id.at()])
            ready = std::max(ready, finish_[leaf.at()]);
        return ready;
    }

    [[nodiscard]] int chainFinish(const Chain& chain) const {
        const int ready = readyAt(chain.first);
        const bool isFree = isSkipped(chain.first) && isSkipped(chain.relu) && isSkipped(chain.second);
        return isFree ? ready : afterMlp(ready);
    }

    [[nodiscard]] int finishOf(NodeId id) const {
        const Node& node = q_.graph.at(id);
        if (isInputLike(node.kind)) return 0;
        if (const Chain* chain = chainOf_[id.at()]) return chainFinish(*chain);
        const int ready = readyAt(id);
        if (node.is(NodeKind::Concatenate) || node.is(NodeKind::Placeholder) || isSkipped(id)) return ready;
        const bool isMlp = node.is(NodeKind::ReLU) || (node.is(NodeKind::Linear) && q_.routing == LocalRouting::Never);
        return isMlp ? afterMlp(ready) : afterAttention(ready);
    }

    const AsapQuestion& q_;
    const std::vector<bool>& takesNoTime_;
    std::vector<Chain> further_;
    std::vector<const Chain*> chainOf_;
    std::vector<int> finish_;
};

}  // namespace

Asap asapOf(const AsapQuestion& question) {
    return asapWithout(question, {});
}

Asap asapWithout(const AsapQuestion& question, const std::vector<bool>& takesNoTime) {
    return Bound(question, takesNoTime).run();
}

int reachOf(const AsapQuestion& question, const std::vector<bool>& nodes) {
    return asapOf(question).layers - asapWithout(question, nodes).layers;
}

int ruleOfThumbLayers(const AsapQuestion& question) {
    std::vector<bool> isAdd(question.graph.size());
    for (std::size_t i = 0; i < isAdd.size(); ++i)
        isAdd[i] = question.graph.nodes[i].is(NodeKind::Add);
    return asapWithout(question, isAdd).layers;
}

}  // namespace memplan::torchwright

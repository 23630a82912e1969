// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scheduler/progress.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

/// What a node waits for, each once: leaves, and for what is no Concatenate its `after` edges.
std::vector<NodeId> conditionsOf(const NodeGraph& graph, const Relations& r, std::size_t node) {
    std::vector<NodeId> all = r.reads[node];
    const bool isConcatenate = graph.nodes[node].is(NodeKind::Concatenate);
    if (!isConcatenate) all.insert(all.end(), graph.nodes[node].after.begin(), graph.nodes[node].after.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace

Progress::Progress(const NodeGraph& graph, const Relations& relations)
    : graph_(graph), relations_(relations), waiters_(graph.size()), reads_(graph.size()),
      isComputed_(graph.size(), false), isOp_(graph.size(), false), isKept_(relations.isOutput),
      waits_(graph.size(), 0), open_(graph.size(), 0) {
    isKept_[graph.position.at()] = true;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.nodes[i];
        const NodeId id = NodeId::of(i);
        const std::vector<NodeId> conditions = conditionsOf(graph, relations, i);
        for (const NodeId before : conditions)
            waiters_[before.at()].push_back(id);
        waits_[i] = static_cast<int>(conditions.size() + node.afterMissing.size());
        for (const NodeId reader : relations.effective[i])
            reads_[reader.at()].push_back(id);
        open_[i] = static_cast<int>(relations.effective[i].size());
        isOp_[i] = !node.is(NodeKind::Concatenate) && !node.is(NodeKind::Placeholder);
        if (isOp_[i]) ++remaining_;
        if (waits_[i] == 0) noteReady(id);
    }
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (isInputLike(graph.nodes[i].kind)) compute(NodeId::of(i));
}

bool Progress::areOutputsComputed() const {
    return std::ranges::all_of(graph_.outputs(), [this](NodeId id) { return isComputed(id); });
}

void Progress::noteReady(NodeId id) {
    if (isOp_[id.at()]) ready_.insert(id);
    if (graph_.at(id).is(NodeKind::Concatenate)) complete_.push_back(id);
}

void Progress::compute(NodeId id) {
    if (isComputed(id)) return;
    isComputed_[id.at()] = true;
    ready_.erase(id);
    if (isOp_[id.at()]) --remaining_;
    for (const NodeId waiter : waiters_[id.at()])
        if (--waits_[waiter.at()] == 0 && !isComputed(waiter)) noteReady(waiter);
    for (const NodeId leaf : reads_[id.at()])
        --open_[leaf.at()];
}

std::vector<NodeId> Progress::computeConcatenates() {
    std::vector<NodeId> complete = std::exchange(complete_, {});
    for (const NodeId id : complete)
        compute(id);
    return complete;
}

}  // namespace memplan::torchwright

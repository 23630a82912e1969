// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/question.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {

AdviceFacts::AdviceFacts(const AdviceQuestion& asked)
    : question(asked), graph(*asked.graph), schedule(asked.schedule), relations(relationsOf(graph)),
      chains(chainsOf(graph, relations)), beginsChain(graph.size(), nullptr), inChain(graph.size(), nullptr),
      endsChain(graph.size(), nullptr), isWaitedFor(graph.size(), false), heads(graph.size(), 0),
      slotsOf(graph.size(), 0), asap(asapOf({graph, relations, chains, schedule.options.localInAttention})) {
    for (const Chain& chain : chains) {
        beginsChain[chain.first.at()] = &chain;
        inChain[chain.relu.at()] = &chain;
        endsChain[chain.second.at()] = &chain;
    }
    for (const Node& node : graph.nodes)
        for (const NodeId id : node.after)
            isWaitedFor[id.at()] = true;
    for (const Layer& layer : schedule.layers) {
        for (const AttentionOp& op : layer.attention)
            if (op.node.isValid()) heads[op.node.at()] += op.heads;
        for (const MlpOp& op : layer.mlp)
            slotsOf[op.node.at()] += op.slotRange.count;
    }
}

std::vector<std::string> AdviceFacts::labels(const std::vector<NodeId>& ids) const {
    constexpr std::size_t kMost = 6;
    std::vector<std::string> texts;
    for (const NodeId id : ids) {
        if (texts.size() == kMost) {
            texts.push_back(std::to_string(ids.size() - kMost) + " more");
            break;
        }
        texts.push_back(label(id));
    }
    return texts;
}

bool AdviceFacts::isStandaloneLinear(NodeId id) const {
    if (!at(id).is(NodeKind::Linear) || endsChain[id.at()] != nullptr) return false;
    return beginsChain[id.at()] == nullptr || !beginsChain[id.at()]->isExclusive;
}

bool AdviceFacts::isReadOnlyBy(NodeId id, NodeId reader) const {
    const auto& readers = relations.effective[id.at()];
    return !relations.isOutput[id.at()] && readers.size() == 1 && readers.front() == reader;
}

bool AdviceFacts::isOnLongestPath(const std::vector<NodeId>& nodes) const {
    return std::ranges::any_of(nodes, [this](NodeId id) { return relations.isOnLongestPath(id); });
}

std::int64_t AdviceFacts::paramsOf(std::int64_t headCount, std::int64_t slotCount) const {
    return headCount * schedule.options.headParams() + slotCount * schedule.options.slotParams();
}

Finding AdviceFacts::finding(int code, std::vector<NodeId> nodes) const {
    Finding out;
    out.code = code;
    out.isOnLongestPath = isOnLongestPath(nodes);
    out.nodes = std::move(nodes);
    return out;
}

std::string shapeText(const Node& node, const std::vector<Columns>& widths) {
    std::string text = node.annotation;
    for (const Columns width : widths)
        text += ' ' + std::to_string(width);
    return text;
}

}  // namespace memplan::torchwright

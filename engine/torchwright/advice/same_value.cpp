// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/same_value.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace memplan::torchwright {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    return (hash ^ value) * 0x100000001B3ULL;
}

std::uint64_t bitsOf(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

std::uint64_t hashOf(const Tensor& tensor) {
    std::uint64_t hash = mixed(0xCBF29CE484222325ULL, static_cast<std::uint64_t>(tensor.columns));
    for (const Tensor::Entry& e : tensor.entries)
        hash = mixed(mixed(hash, static_cast<std::uint64_t>(e.index)), bitsOf(e.value));
    return hash;
}

bool isOnlyItself(const Node& node) {
    return isInputLike(node.kind) && !node.is(NodeKind::LiteralValue);
}

bool isShareable(const Node& node) {
    return !isInputLike(node.kind) && !node.is(NodeKind::Concatenate) && !node.is(NodeKind::Placeholder);
}

}  // namespace

int TensorNumbers::of(const TensorPtr& tensor) {
    if (!tensor) return 0;
    const auto found = known_.find(tensor.get());
    if (found != known_.end()) return found->second;
    std::vector<const Tensor*>& alike = byHash_[hashOf(*tensor)];
    const auto same = std::ranges::find_if(alike, [&](const Tensor* t) { return *t == *tensor; });
    const int number = same == alike.end() ? ++count_ : known_.at(*same);
    if (same == alike.end()) alike.push_back(tensor.get());
    known_.emplace(tensor.get(), number);
    return number;
}

std::vector<std::int64_t> parametersKey(const Node& node, TensorNumbers& tensors) {
    std::vector<std::int64_t> key{static_cast<std::int64_t>(node.kind), node.width};
    if (node.is(NodeKind::LiteralValue))
        for (const float value : node.literal().value)
            key.push_back(static_cast<std::int64_t>(bitsOf(value)));
    if (node.is(NodeKind::Linear)) {
        key.insert(key.end(), {node.linear().inputWidth, tensors.of(node.linear().matrix)});
        key.push_back(tensors.of(node.linear().bias));
    }
    if (node.is(NodeKind::Attn)) {
        const AttnData& a = node.attn();
        key.insert(key.end(), {a.qk, a.v, a.queryWidth, a.keyWidth, a.valueWidth});
        for (const TensorPtr* matrix : {&a.queryMatrix, &a.keyMatrix, &a.valueMatrix, &a.outputMatrix})
            key.push_back(tensors.of(*matrix));
    }
    return key;
}

SameValues sameValuesOf(const NodeGraph& graph) {
    SameValues out;
    out.classOf.assign(graph.size(), -1);
    std::map<std::vector<std::int64_t>, int> classes;
    for (const NodeId id : topologicalOrder(graph)) {
        const Node& node = graph.at(id);
        std::vector<std::int64_t> key = parametersKey(node, out.tensors);
        if (isOnlyItself(node)) key.push_back(id.index);
        for (const NodeId input : node.inputs)
            key.push_back(out.classOf[input.at()]);
        const auto [it, isNew] = classes.emplace(std::move(key), static_cast<int>(out.members.size()));
        if (isNew) out.members.emplace_back();
        out.classOf[id.at()] = it->second;
        out.members[static_cast<std::size_t>(it->second)].push_back(id);
    }
    for (std::vector<NodeId>& members : out.members)
        std::ranges::sort(members);
    return out;
}

std::vector<std::vector<NodeId>> recomputedClasses(const NodeGraph& graph, const SameValues& values) {
    std::vector<std::vector<NodeId>> classes;
    for (const std::vector<NodeId>& members : values.members)
        if (members.size() >= 2 && isShareable(graph.at(members.front()))) classes.push_back(members);
    std::ranges::sort(classes, {}, [](const std::vector<NodeId>& members) { return members.front(); });
    return classes;
}

std::vector<std::vector<NodeId>> maximalClasses(const NodeGraph& graph, const Relations& relations,
                                                const SameValues& values) {
    std::vector<bool> isCopied(graph.size(), false);
    std::vector<std::vector<NodeId>> classes = recomputedClasses(graph, values);
    for (const std::vector<NodeId>& members : classes)
        for (const NodeId id : members)
            isCopied[id.at()] = true;
    std::erase_if(classes, [&](const std::vector<NodeId>& members) {
        return std::ranges::all_of(members, [&](NodeId id) {
            const auto& readers = relations.effective[id.at()];
            return !relations.isOutput[id.at()] && !readers.empty() &&
                   std::ranges::all_of(readers, [&](NodeId reader) { return isCopied[reader.at()]; });
        });
    });
    return classes;
}

}  // namespace memplan::torchwright

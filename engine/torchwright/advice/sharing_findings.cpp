// SPDX-License-Identifier: Apache-2.0
// Work that is done more than once: TW-104, TW-105, TW-106 (torchwright.md 19.3).
#include "engine/torchwright/advice/matrices.h"
#include "engine/torchwright/advice/sources.h"
#include "engine/torchwright/scheduler/costs.h"
#include "engine/torchwright/texts/advice.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

int count(const std::vector<NodeId>& list) {
    return static_cast<int>(list.size());
}

struct Cost {
    int heads = 0;
    Slots slots = 0;
};

Cost costOf(const AdviceFacts& facts, const std::vector<NodeId>& nodes) {
    Cost cost;
    for (const NodeId id : nodes)
        cost.heads += facts.heads[id.at()], cost.slots += facts.slotsOf[id.at()];
    return cost;
}

// ---- TW-104 -----------------------------------------------------------------------------------------------------

/// What nobody needs once these copies are not read any more: the copies and what feeds them alone.
std::vector<NodeId> goneWith(const AdviceFacts& facts, const std::vector<NodeId>& copies) {
    std::vector<bool> isGone(facts.graph.size(), false);
    for (const NodeId id : copies)
        isGone[id.at()] = true;
    std::vector<NodeId> order = topologicalOrder(facts.graph);
    std::vector<NodeId> gone;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const auto& readers = facts.relations.consumers[it->at()];
        const bool isUnread = !facts.relations.isOutput[it->at()] && !readers.empty() &&
                              std::ranges::all_of(readers, [&](NodeId r) { return isGone[r.at()]; });
        isGone[it->at()] = isGone[it->at()] || isUnread;
        if (isGone[it->at()]) gone.push_back(*it);
    }
    return gone;
}

void addRecomputed(const AdviceFacts& facts, const std::vector<NodeId>& members, Findings& out) {
    const std::vector<NodeId> outputs = facts.graph.outputs();
    const NodeId kept = members.front();
    std::vector<NodeId> copies;
    for (const NodeId id : members)
        if (id != kept && std::ranges::find(outputs, id) == outputs.end()) copies.push_back(id);
    if (copies.empty()) return;
    const Cost cost = costOf(facts, goneWith(facts, copies));
    Finding finding = facts.finding(104, members);
    finding.shape = shapeText(facts.at(kept), {static_cast<Columns>(facts.at(kept).kind), facts.at(kept).width,
                                               count(copies), cost.heads, cost.slots});
    finding.what = {say::kRecomputed, facts.label(kept), count(members), facts.labels(copies)};
    finding.why = {say::kRecomputedWhy, count(copies), cost.heads, cost.slots};
    finding.instead = {say::kRecomputedInstead};
    finding.paramsSaved = facts.paramsOf(cost.heads, cost.slots);
    finding.proposal.rewrites.push_back([kept, copies](GraphEdit& edit) {
        for (const NodeId copy : copies)
            edit.redirect(copy, kept);
    });
    out.push_back(std::move(finding));
}

// ---- TW-105 -----------------------------------------------------------------------------------------------------

using Key = std::vector<std::int64_t>;

/// The work that reads a value directly: chains and standalone Linears, with the numbers of their parameters.
struct Work {
    Key key;
    NodeId end;
};

std::vector<Work> workAfter(const AdviceFacts& facts, SameValues& values, NodeId read) {
    std::vector<Work> work;
    for (const NodeId id : facts.relations.consumers[read.at()]) {
        if (!facts.at(id).is(NodeKind::Linear)) continue;
        const Chain* chain = facts.beginsChain[id.at()];
        Key key = parametersKey(facts.at(id), values.tensors);
        if (chain != nullptr) {
            for (const std::int64_t part : parametersKey(facts.at(chain->second), values.tensors))
                key.push_back(part);
        }
        work.push_back({std::move(key), chain != nullptr ? chain->second : id});
    }
    return work;
}

// ---- TW-106 -----------------------------------------------------------------------------------------------------

/// One read of all values; each old read becomes the part of it that it was, inside the Linears that read it where they
/// can take it, else as a Linear of its own.
void mergeReads(GraphEdit& edit, const std::vector<NodeId>& reads) {
    const NodeId first = reads.front();
    AttnData data = edit.graph().at(first).attn();
    std::vector<NodeId> values;
    std::vector<TensorPtr> valueMatrices, outputMatrices;
    data.v = data.valueWidth = 0;
    Columns width = 0;
    for (const NodeId id : reads) {
        const Node& node = edit.graph().at(id);
        values.push_back(node.inputs[2]);
        valueMatrices.push_back(node.attn().valueMatrix);
        outputMatrices.push_back(node.attn().outputMatrix);
        data.v += node.attn().v;
        data.valueWidth += node.attn().valueWidth;
        width += node.width;
    }
    data.valueMatrix = blockDiagonal(valueMatrices);
    data.outputMatrix = blockDiagonal(outputMatrices);
    const std::vector<NodeId> inputs{edit.graph().at(first).inputs[0], edit.graph().at(first).inputs[1],
                                     edit.concatenate(values, first)};
    const NodeId all = edit.attn(inputs, width, std::move(data), first);
    Columns offset = 0;
    for (const NodeId id : reads) {
        edit.inheritAfter(all, id);
        const Columns own = edit.graph().at(id).width;
        LinearData part;
        part.inputWidth = width;
        part.nonZeros = own;
        part.matrix = partMatrix(width, offset, own);
        part.bias = filledMatrix(1, own, 0);
        offset += own;
        for (std::size_t i = 0; i < edit.graph().size(); ++i) {
            const Node& reader = edit.graph().nodes[i];
            if (!reader.is(NodeKind::Linear) || reader.inputs.front() != id) continue;
            edit.makeLinear(NodeId::of(i), all, fusedData(part, reader.linear()));
        }
        edit.makeLinear(id, all, std::move(part));
        edit.at(id).after.clear();
    }
}

/// Question and keys of a read; of the values only that they may differ.
Key questionKey(const AdviceFacts& facts, SameValues& values, NodeId id) {
    const Node& node = facts.at(id);
    const AttnData& a = node.attn();
    return {a.qk, values.classOf[node.inputs[0].at()], values.classOf[node.inputs[1].at()],
            values.tensors.of(a.queryMatrix), values.tensors.of(a.keyMatrix)};
}

/// A read that waits, directly or not, for another read of the group cannot be one with it.
bool dependOnEachOther(const NodeGraph& graph, const std::vector<NodeId>& reads) {
    std::vector<bool> dependsOnOne(graph.size(), false);
    for (const NodeId id : topologicalOrder(graph)) {
        const auto& inputs = graph.at(id).inputs;
        const bool depends = std::ranges::any_of(inputs, [&](NodeId input) {
            return dependsOnOne[input.at()] || std::ranges::find(reads, input) != reads.end();
        });
        dependsOnOne[id.at()] = depends;
        if (depends && std::ranges::find(reads, id) != reads.end()) return true;
    }
    return false;
}

void addMergeable(const AdviceFacts& facts, const std::vector<NodeId>& reads, Findings& out) {
    int apart = 0;
    Columns width = 0;
    for (const NodeId id : reads) {
        apart += headsFor(facts.at(id).attn().v, facts.dHead());
        width += facts.at(id).attn().v;
    }
    const int joined = headsFor(width, facts.dHead());
    if (apart <= joined || dependOnEachOther(facts.graph, reads)) return;
    Finding finding = facts.finding(106, reads);
    finding.shape = shapeText(facts.at(reads.front()), {count(reads), width});
    finding.what = {say::kMergeableReads, count(reads), facts.labels(reads)};
    finding.why = {say::kMergeableReadsWhy, apart, joined};
    finding.instead = {say::kMergeableReadsInstead};
    finding.paramsSaved = facts.paramsOf(apart - joined, 0);
    finding.proposal.rewrites.push_back([reads](GraphEdit& edit) { mergeReads(edit, reads); });
    out.push_back(std::move(finding));
}

}  // namespace

void findRecomputedValues(const AdviceFacts& facts, const SameValues& values, Findings& out) {
    for (const std::vector<NodeId>& members : maximalClasses(facts.graph, facts.relations, values))
        addRecomputed(facts, members, out);
}

void findWorkAfterReads(const AdviceFacts& facts, SameValues& values, Findings& out) {
    std::map<std::pair<NodeId, Key>, std::vector<NodeId>> ends;
    std::map<std::pair<NodeId, Key>, std::vector<NodeId>> reads;
    for (std::size_t i = 0; i < facts.graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        if (!facts.at(id).is(NodeKind::Attn)) continue;
        for (const Work& work : workAfter(facts, values, id)) {
            const std::pair<NodeId, Key> place{facts.at(id).inputs[2], work.key};
            ends[place].push_back(work.end);
            if (reads[place].empty() || reads[place].back() != id) reads[place].push_back(id);
        }
    }
    for (const auto& [place, group] : reads) {
        if (group.size() < 2) continue;
        const std::vector<NodeId>& work = ends[place];
        std::vector<NodeId> nodes = group;
        nodes.insert(nodes.end(), work.begin(), work.end());
        const Cost cost = costOf(facts, {work.back()});
        Finding finding = facts.finding(105, nodes);
        finding.shape = shapeText(facts.at(work.front()), {count(group), facts.at(work.front()).width});
        finding.what = {say::kWorkAfterReads, count(group), facts.label(place.first), facts.labels(work)};
        finding.why = {say::kWorkAfterReadsWhy, cost.heads, cost.slots};
        finding.instead = {say::kWorkAfterReadsInstead};
        finding.paramsSaved = facts.paramsOf(cost.heads, cost.slots) * (count(group) - 1);
        out.push_back(std::move(finding));
    }
}

void findMergeableReads(const AdviceFacts& facts, SameValues& values, Findings& out) {
    std::map<Key, std::vector<NodeId>> groups;
    for (std::size_t i = 0; i < facts.graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        if (facts.at(id).is(NodeKind::Attn) && !facts.isWaitedFor[i])
            groups[questionKey(facts, values, id)].push_back(id);
    }
    for (const auto& [key, reads] : groups)
        if (reads.size() >= 2) addMergeable(facts, reads, out);
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// The attention sublayer (torchwright.md 7.3).
#include "engine/torchwright/scheduler/layer_builder.h"

#include <algorithm>
#include <ranges>
#include <tuple>

namespace memplan::torchwright {

void LayerBuilder::attention() {
    placeFreeAdds();
    placeCandidates();
    cancelRest();
}

void LayerBuilder::placeFreeAdds() {
    std::ranges::stable_sort(freeAdds_, {}, [this](const FreeAdd& add) { return priority(add.add); });
    for (const FreeAdd& add : freeAdds_) {
        const int heads = headsFor(s_.graph.at(add.live).width, s_.options.dHead);
        if (heads > heads_.left()) {
            refuse(add.add, Cause::HeadRoom);
            continue;
        }
        AttentionOp op;
        op.kind = AttentionKind::AddInto;
        op.node = add.add;
        op.heads = heads;
        op.target = s_.columns.of(add.dead);
        op.source = s_.columnsRead(add.live);
        s_.columns.reassign(add.dead, add.add);
        closeHolding(add.dead);
        noteHolding(add.add);
        compute(add.add);
        isLive_[add.live.at()] = true;
        heads_.take(heads);
        layer_.params += heads * s_.options.headParams();
        layer_.attention.push_back(std::move(op));
    }
}

void LayerBuilder::listDead(NodeId id) {
    if (isDeadListed_[id.at()]) return;
    isDeadListed_[id.at()] = true;
    dead_.push_back(id);
}

void LayerBuilder::placeCandidates() {
    std::vector<NodeId> candidates;
    for (const NodeId id : ready_) {
        const Node& node = s_.graph.at(id);
        if (node.is(NodeKind::Attn)) candidates.push_back(id);
        if (!node.is(NodeKind::Linear)) continue;
        if (s_.options.localInAttention == LocalRouting::Never) {
            listBypass(id);
        } else {
            candidates.push_back(id);
        }
    }
    candidates.insert(candidates.end(), deferredAdds_.begin(), deferredAdds_.end());
    const bool underPressure = isUnderPressure();
    std::ranges::stable_sort(candidates, {}, [&](NodeId id) {
        return std::tuple(!s_.graph.at(id).is(NodeKind::Attn), underPressure ? netCost(id) : 0, priority(id));
    });
    const auto byWidth = [this](NodeId id) { return s_.graph.at(id).width; };
    std::erase_if(dead_, [this](NodeId id) { return isLive_[id.at()]; });
    std::ranges::stable_sort(dead_, std::ranges::greater{}, byWidth);
    for (const NodeId id : candidates)
        placeCandidate(id);
}

void LayerBuilder::releaseCancelled(NodeId owner) {
    const ColumnList columns = s_.columns.of(owner);
    heads_.cancel(columns);
    s_.columns.markClean(columns);
    s_.columns.release(owner);
    closeHolding(owner);
}

/// Columns for the node, if need be from dead ones that this layer can cancel beside it, widest first.
bool LayerBuilder::makeRoom(NodeId id, int heads) {
    const Columns width = s_.graph.at(id).width;
    while (!s_.columns.allocate(id, width)) {
        if (dead_.empty() || heads_.left() <= heads) return false;
        const NodeId widest = dead_.front();
        if (!heads_.canCancel(s_.columns.of(widest), heads)) return false;
        releaseCancelled(widest);
        dead_.erase(dead_.begin());
    }
    return true;
}

AttentionOp LayerBuilder::attentionOp(NodeId id, int heads) const {
    const Node& node = s_.graph.at(id);
    AttentionOp op;
    op.node = id;
    op.heads = heads;
    op.target = s_.columns.of(id);
    switch (node.kind) {
    case NodeKind::Attn:
        op.kind = AttentionKind::ComputeAttn;
        op.query = s_.columnsRead(node.inputs[0]);
        op.key = s_.columnsRead(node.inputs[1]);
        op.value = s_.columnsRead(node.inputs[2]);
        break;
    case NodeKind::Add:
        op.kind = AttentionKind::ComputeAdd;
        op.source = s_.columnsRead(node.inputs[0]);
        op.sourceB = s_.columnsRead(node.inputs[1]);
        break;
    default:
        op.kind = AttentionKind::ComputeLinear;
        op.source = s_.columnsRead(node.inputs[0]);
    }
    return op;
}

void LayerBuilder::placeCandidate(NodeId id) {
    const Node& node = s_.graph.at(id);
    const int heads = attentionHeads(node, s_.options.dHead);
    if (heads > heads_.left()) return refuse(id, Cause::HeadRoom);
    if (!isAdmitted(id)) return;
    if (!makeRoom(id, heads)) return refuse(id, Cause::ColumnRoom);
    const ColumnList dirty = s_.columns.dirtyAmong(s_.columns.of(id));
    if (!heads_.canCancel(dirty, heads)) {
        s_.columns.release(id);
        return refuse(id, Cause::HeadRoom);
    }
    layer_.attention.push_back(attentionOp(id, heads));
    const int counted = node.is(NodeKind::Add) ? upstreamAddHeads(node.width, s_.options.dHead) : heads;
    layer_.params += counted * s_.options.headParams();
    heads_.take(heads);
    heads_.cancel(dirty);
    s_.columns.markClean(dirty);
    noteHolding(id);
    compute(id);
    removeFromReady(id);
    s_.admission.schedule(id);
    freeEagerly(id);
    if (hasBias(node)) biased_.push_back(id);
}

/// What the node read last may be cancelled in the same layer: attention reads before it writes. Last input first.
void LayerBuilder::freeEagerly(NodeId id) {
    const std::size_t before = dead_.size();
    const std::vector<NodeId>& reads = s_.relations.reads[id.at()];
    for (auto it = reads.rbegin(); it != reads.rend(); ++it) {
        const NodeId leaf = *it;
        if (!s_.columns.owns(leaf) || isInputLike(s_.graph.at(leaf).kind)) continue;
        if (!s_.progress.isDead(leaf) || isLive_[leaf.at()] || isProtected_[leaf.at()]) continue;
        listDead(leaf);
    }
    if (dead_.size() == before) return;
    std::ranges::stable_sort(dead_, std::ranges::greater{}, [this](NodeId n) { return s_.graph.at(n).width; });
}

void LayerBuilder::cancelRest() {
    for (const NodeId id : dead_)
        if (heads_.canCancel(s_.columns.of(id))) releaseCancelled(id);
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// The MLP sublayer (torchwright.md 7.5). No cancel makes room here, but dirty columns still join the layer's cancel.
#include "engine/torchwright/scheduler/layer_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace memplan::torchwright {

void LayerBuilder::mlp() {
    const bool underPressure = isUnderPressure();
    placeChains(underPressure);
    placeRelus(underPressure);
    placeBypasses(underPressure);
    placeBiases();
}

/// Slots and columns for the operation; false after a refusal.
bool LayerBuilder::placeTarget(MlpOp& op) {
    const NodeId id = op.node;
    if (op.slotRange.count > s_.options.slotsPerLayer() - layer_.slotsUsed) {
        refuse(id, Cause::SlotRoom);
        return false;
    }
    if (!isAdmitted(id)) return false;
    if (!s_.columns.allocate(id, s_.graph.at(id).width)) {
        refuse(id, Cause::ColumnRoom);
        return false;
    }
    op.target = s_.columns.of(id);
    const ColumnList dirty = s_.columns.dirtyAmong(op.target);
    if (!heads_.canCancel(dirty)) {
        s_.columns.release(id);
        refuse(id, Cause::HeadRoom);
        return false;
    }
    heads_.cancel(dirty);
    s_.columns.markClean(dirty);
    op.slotRange.first = std::exchange(layer_.slotsUsed, layer_.slotsUsed + op.slotRange.count);
    noteHolding(id);
    compute(id);
    s_.admission.schedule(id);
    return true;
}

/// A value that was cancelled in this layer's attention is not there for its MLP: the first Linear of a chain may have
/// been its last reader but for the chain itself.
bool LayerBuilder::isReadable(NodeId node) const {
    return std::ranges::all_of(s_.relations.reads[node.at()], [this](NodeId leaf) { return s_.columns.owns(leaf); });
}

void LayerBuilder::placeChains(bool underPressure) {
    std::ranges::stable_sort(chains_, {}, [&](const Chain& chain) {
        return std::pair(underPressure ? chainNetCost(chain) : 0, priority(chain.second));
    });
    for (const Chain& chain : chains_) {
        if (!isReadable(chain.first)) {
            refuse(chain.second, Cause::ColumnRoom);
            continue;
        }
        MlpOp op;
        op.kind = MlpKind::ComputeRelu;
        op.node = chain.second;
        op.slotRange.count = s_.graph.at(chain.relu).width;
        op.source = s_.columnsRead(s_.graph.at(chain.first).inputs.front());
        if (!placeTarget(op)) continue;
        compute(chain.relu);
        if (chain.isExclusive) compute(chain.first);
        // The original counts the other members after the second Linear: a cluster's chain that ends in one of these
        // stays in flight for good.
        s_.admission.schedule(chain.relu);
        layer_.mlp.push_back(std::move(op));
    }
}

void LayerBuilder::placeMlp(NodeId id, MlpKind kind, Slots count) {
    MlpOp op;
    op.kind = kind;
    op.node = id;
    op.slotRange.count = count;
    op.source = s_.columnsRead(s_.graph.at(id).inputs.front());
    if (!placeTarget(op)) return;
    removeFromReady(id);
    layer_.mlp.push_back(std::move(op));
}

/// Where the first Linear of a chain has other readers, attention may compute it too, which makes the chain's ReLU
/// ready: what the chain has computed is not computed again.
void LayerBuilder::placeRelus(bool underPressure) {
    std::vector<NodeId> relus;
    std::ranges::copy_if(ready_, std::back_inserter(relus), [this](NodeId id) {
        return s_.graph.at(id).is(NodeKind::ReLU) && !s_.progress.isComputed(id);
    });
    sortByPressure(relus, underPressure);
    for (const NodeId id : relus)
        placeMlp(id, MlpKind::StandaloneRelu, s_.graph.at(id).width);
}

void LayerBuilder::placeBypasses(bool underPressure) {
    sortByPressure(bypass_, underPressure);
    for (const NodeId id : bypass_)
        placeMlp(id, MlpKind::LinearBypass, 2 * s_.graph.at(id).width);
}

void LayerBuilder::placeBiases() {
    for (const NodeId id : biased_) {
        MlpOp op;
        op.kind = MlpKind::Bias;
        op.node = id;
        op.target = s_.columns.of(id);
        layer_.params += s_.graph.at(id).width;
        layer_.mlp.push_back(std::move(op));
    }
}

/// What the whole layer cancels is one operation, the last of its attention sublayer.
void LayerBuilder::appendCancel() {
    if (heads_.cancelled().empty()) return;
    AttentionOp op;
    op.kind = AttentionKind::Cancel;
    op.heads = heads_.cancelHeads();
    op.target = heads_.cancelled();
    layer_.attention.push_back(std::move(op));
}

}  // namespace memplan::torchwright

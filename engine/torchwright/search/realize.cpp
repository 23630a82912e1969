// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/realize.h"

#include "engine/torchwright/scheduler/costs.h"
#include "engine/torchwright/search/column_store.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

class Realizer {
public:
    Realizer(const NodeGraph& graph, const UnitModel& model, const Assignment& assignment)
        : graph_(graph), relations_(relationsOf(graph)), model_(model), a_(assignment), columns_(model.options.d),
          holdingOf_(model.values.size(), -1), unitsOf_(static_cast<std::size_t>(assignment.layers())) {
        for (std::size_t u = 0; u < model.units.size(); ++u)
            unitsOf_[static_cast<std::size_t>(a_.layerOf()[u])].push_back(static_cast<int>(u));
        out_.options = model.options;
        out_.nodeLayer.assign(graph.size(), -1);
    }

    std::optional<Schedule> run() {
        for (std::size_t v = 0; v < model_.values.size(); ++v)
            if (model_.values[v].unit < 0) placeInput(static_cast<int>(v));
        if (model_.options.assumeZeroInit) columns_.clean();
        out_.peakOccupied = columns_.taken();
        for (layer_ = 0; layer_ < a_.layers(); ++layer_) {
            fillLayer();
            if (layerOut_.heads > model_.options.headsPerLayer()) return std::nullopt;
            out_.layers.push_back(std::move(layerOut_));
        }
        finish();
        return std::move(out_);
    }

private:
    [[nodiscard]] const Unit& unit(int u) const { return model_.units[static_cast<std::size_t>(u)]; }
    [[nodiscard]] const Value& value(int v) const { return model_.values[static_cast<std::size_t>(v)]; }
    [[nodiscard]] int layerOf(int u) const { return a_.layerOf()[static_cast<std::size_t>(u)]; }
    [[nodiscard]] Holding& holding(int v) {
        return out_.holdings[static_cast<std::size_t>(holdingOf_[static_cast<std::size_t>(v)])];
    }

    void hold(int v, ColumnList columns, int layer) {
        columnsOf_.resize(graph_.size());
        columnsOf_[value(v).node.at()] = columns;
        holdingOf_[static_cast<std::size_t>(v)] = static_cast<int>(out_.holdings.size());
        out_.holdings.push_back({value(v).node, std::move(columns), layer, layer});
    }

    void placeInput(int v) {
        out_.paramsUsed += graph_.at(value(v).node).params;
        hold(v, columns_.take(value(v).width, cancelled_), -1);
        cancelled_ = {};
    }

    [[nodiscard]] ColumnList read(NodeId input) const {
        if (!graph_.at(input).is(NodeKind::Concatenate)) return columnsOf_[input.at()];
        ColumnList list;
        for (const NodeId leaf : relations_.reads[input.at()])
            list.append(columnsOf_[leaf.at()]);
        return list;
    }

    // ---- one layer ---------------------------------------------------------------------------------------------

    void fillLayer() {
        layerOut_ = {};
        cancelled_ = {};
        layerOut_.occupiedBefore = columns_.taken();
        const auto& units = unitsOf_[static_cast<std::size_t>(layer_)];
        std::vector<int> attention, mlp;
        for (const int u : units)
            (unit(u).isAttention() ? attention : mlp).push_back(u);
        takeOver(attention);
        releaseDead();
        for (const int u : attention)
            placeAttention(u);
        for (const int u : mlp)
            placeMlp(u);
        for (const int u : attention)
            placeBias(u);
        appendCancel();
        layerOut_.params += std::int64_t{layerOut_.slotsUsed} * model_.options.slotParams();
        layerOut_.occupiedAfter = columns_.taken();
        std::ranges::sort(layerOut_.released);
        addRefused();
        setBinding();
    }

    /// Adds onto an addend that nobody else reads any more; sources are noted before anything is released.
    void takeOver(const std::vector<int>& attention) {
        for (const int u : attention) {
            const int dead = unit(u).kind == UnitKind::Add ? a_.takenOver(u) : -1;
            if (dead < 0) continue;
            const auto& inputs = graph_.at(unit(u).node).inputs;
            const NodeId live = inputs[0] == value(dead).node ? inputs[1] : inputs[0];
            AttentionOp op;
            op.kind = AttentionKind::AddInto;
            op.node = unit(u).node;
            op.heads = unit(u).freeHeads;
            op.target = columnsOf_[value(dead).node.at()];
            op.source = read(live);
            taken_.emplace_back(dead, u);
            addAttention(std::move(op), unit(u).freeHeads);
        }
        for (const auto& [dead, u] : std::exchange(taken_, {})) {
            ColumnList columns = holding(dead).columns;
            close(dead);
            hold(unit(u).value, std::move(columns), layer_);
            compute(u);
        }
    }

    void close(int v) {
        holding(v).lastLayer = layer_ - 1;
        layerOut_.released.push_back(value(v).node);
        holdingOf_[static_cast<std::size_t>(v)] = -1;
    }

    /// Attention reads before it writes: what it read last is free in the same layer.
    void releaseDead() {
        for (std::size_t v = 0; v < model_.values.size(); ++v) {
            if (holdingOf_[v] < 0 || a_.lastHeld(static_cast<int>(v)) >= layer_) continue;
            columns_.release(holding(static_cast<int>(v)).columns);
            close(static_cast<int>(v));
        }
    }

    void compute(int u) {
        const Unit& own = unit(u);
        out_.nodeLayer[own.node.at()] = layer_;
        if (!own.first.isValid()) return;
        out_.nodeLayer[own.relu.at()] = layer_;
        if (model_.unitOf[own.first.at()] == u) out_.nodeLayer[own.first.at()] = layer_;
    }

    void addAttention(AttentionOp op, int counted) {
        layerOut_.heads += op.heads;
        layerOut_.params += std::int64_t{counted} * model_.options.headParams();
        layerOut_.attention.push_back(std::move(op));
    }

    void placeAttention(int u) {
        const Unit& own = unit(u);
        if (out_.nodeLayer[own.node.at()] == layer_) return;  // took over an addend
        const Node& node = graph_.at(own.node);
        AttentionOp op;
        op.node = own.node;
        op.heads = own.heads;
        if (own.kind == UnitKind::Attn) {
            op.kind = AttentionKind::ComputeAttn;
            op.query = read(node.inputs[0]), op.key = read(node.inputs[1]), op.value = read(node.inputs[2]);
        } else {
            op.kind = own.kind == UnitKind::Add ? AttentionKind::ComputeAdd : AttentionKind::ComputeLinear;
            op.source = read(node.inputs[0]);
            if (own.kind == UnitKind::Add) op.sourceB = read(node.inputs[1]);
        }
        op.target = columns_.take(own.width, cancelled_);
        hold(own.value, op.target, layer_);
        compute(u);
        const bool isAdd = own.kind == UnitKind::Add;
        addAttention(std::move(op), isAdd ? upstreamAddHeads(own.width, model_.options.dHead) : own.heads);
    }

    void placeMlp(int u) {
        const Unit& own = unit(u);
        MlpOp op;
        op.node = own.node;
        op.kind = own.kind == UnitKind::Chain            ? MlpKind::ComputeRelu
                  : own.kind == UnitKind::StandaloneRelu ? MlpKind::StandaloneRelu
                                                         : MlpKind::LinearBypass;
        op.source = read(graph_.at(own.first.isValid() ? own.first : own.node).inputs.front());
        op.slotRange = {std::exchange(layerOut_.slotsUsed, layerOut_.slotsUsed + own.slotCount), own.slotCount};
        op.target = columns_.take(own.width, cancelled_);
        hold(own.value, op.target, layer_);
        compute(u);
        layerOut_.mlp.push_back(std::move(op));
    }

    void placeBias(int u) {
        if (unit(u).kind != UnitKind::LinearInAttention || !hasBias(graph_.at(unit(u).node))) return;
        MlpOp op;
        op.kind = MlpKind::Bias;
        op.node = unit(u).node;
        op.target = columnsOf_[op.node.at()];
        layerOut_.params += unit(u).width;
        layerOut_.mlp.push_back(std::move(op));
    }

    void appendCancel() {
        if (cancelled_.empty()) return;
        AttentionOp op;
        op.kind = AttentionKind::Cancel;
        op.target = std::move(cancelled_);
        op.heads = headsFor(op.target.size(), model_.options.dHead);
        const int heads = op.heads;
        addAttention(std::move(op), heads);
    }

    // ---- why units came no earlier -----------------------------------------------------------------------------

    [[nodiscard]] bool isReady(int u) const {
        const auto& least = model_.options.layerMin;
        const NodeId opening = unit(u).first.isValid() ? unit(u).first : unit(u).node;
        if (!least.empty() && least[opening.at()] > layer_) return false;
        return std::ranges::all_of(unit(u).before,
                                   [&](const UnitEdge& edge) { return layerOf(edge.other) + edge.gap <= layer_; });
    }

    /// What stands in the way of the unit in this layer as it was filled. Where slots and heads are left, the search
    /// put the unit where values hold fewer columns.
    [[nodiscard]] Cause causeOf(int u) const {
        const ScheduleOptions& o = model_.options;
        const Unit& own = unit(u);
        const ColumnList* cancel = nullptr;
        if (!layerOut_.attention.empty() && layerOut_.attention.back().kind == AttentionKind::Cancel)
            cancel = &layerOut_.attention.back().target;
        const int cancelled = cancel != nullptr ? cancel->size() : 0;
        const int heads = layerOut_.heads - headsFor(cancelled, o.dHead) + headsFor(cancelled + own.width, o.dHead);
        if (own.slotCount > o.slotsPerLayer() - layerOut_.slotsUsed) return Cause::SlotRoom;
        if (heads + own.heads > o.headsPerLayer()) return Cause::HeadRoom;
        return Cause::ColumnRoom;
    }

    void addRefused() {
        for (std::size_t i = 0; i < model_.units.size(); ++i) {
            const int u = static_cast<int>(i);
            if (layerOf(u) > layer_ && isReady(u)) layerOut_.refused.push_back({unit(u).node, causeOf(u)});
        }
        std::ranges::sort(layerOut_.refused, {}, &Refusal::node);
    }

    void setBinding() {
        const auto longest = std::ranges::max_element(
            layerOut_.refused, {}, [this](const Refusal& r) { return relations_.distance[r.node.at()]; });
        if (longest != layerOut_.refused.end()) {
            layerOut_.binding = longest->cause;
            return;
        }
        const auto isOnPath = [this](const auto& op) {
            return op.node.isValid() && relations_.isOnLongestPath(op.node);
        };
        const bool hasOp =
            std::ranges::any_of(layerOut_.attention, isOnPath) || std::ranges::any_of(layerOut_.mlp, isOnPath);
        layerOut_.isForcedByOrder = hasOp && layerOut_.params * 4 < model_.options.layerCapacity();
    }

    // ---- the whole ---------------------------------------------------------------------------------------------

    void finish() {
        for (std::size_t v = 0; v < model_.values.size(); ++v)
            if (holdingOf_[v] >= 0) holding(static_cast<int>(v)).lastLayer = a_.layers() - 1;
        for (const Layer& layer : out_.layers) {
            out_.headsTotal += layer.heads;
            out_.slotsTotal += layer.slotsUsed;
            out_.paramsUsed += layer.params;
            out_.peakOccupied = std::max(out_.peakOccupied, layer.occupiedAfter);
        }
        out_.freeColumns = columns_.free();
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const Node& node = graph_.nodes[i];
            const bool isOp =
                !isInputLike(node.kind) && !node.is(NodeKind::Concatenate) && !node.is(NodeKind::Placeholder);
            if (isOp && out_.nodeLayer[i] < 0) ++out_.remainingNodes;  // the first Linear of chains alone
        }
        for (const NodeId id : topologicalOrder(graph_)) {
            if (!graph_.at(id).is(NodeKind::Concatenate)) continue;
            int last = 0;  // of inputs alone: with the first layer
            for (const NodeId leaf : relations_.reads[id.at()])
                last = std::max(last, out_.nodeLayer[leaf.at()]);
            out_.nodeLayer[id.at()] = last;
        }
        out_.outputColumns = read(graph_.output);
    }

    const NodeGraph& graph_;
    Relations relations_;
    const UnitModel& model_;
    const Assignment& a_;
    ColumnStore columns_;
    std::vector<int> holdingOf_;             ///< by value, -1 = owns none
    std::vector<ColumnList> columnsOf_;      ///< by node, of those that own columns or did
    std::vector<std::vector<int>> unitsOf_;  ///< by layer, ascending
    std::vector<std::pair<int, int>> taken_;
    int layer_ = 0;
    Layer layerOut_;
    ColumnList cancelled_;  ///< of this layer
    Schedule out_;
};

}  // namespace

std::optional<Schedule> realize(const NodeGraph& graph, const UnitModel& model, const Assignment& assignment) {
    if (!assignment.isFeasible()) return std::nullopt;
    return Realizer(graph, model, assignment).run();
}

}  // namespace memplan::torchwright

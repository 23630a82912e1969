// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/weight_demand.h"

#include <algorithm>
#include <map>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;
using memplan::torchwright::Tensor;

constexpr double kOwnPosition = 100;  ///< query gain of a head that attends to its own position

/// What one lane of a head carries: a column of the stream, added to columns with a factor each.
struct Lane {
    Columns from = 0;
    std::vector<std::pair<Columns, double>> onto;
};
using Lanes = std::vector<Lane>;

class AttentionDemand {
public:
    AttentionDemand(const NodeGraph& graph, const Schedule& schedule, LayerDemand& out)
        : g_(graph), dHead_(static_cast<std::size_t>(schedule.options.dHead)), out_(out) {
        const int at = schedule.holdingOf(graph.position);
        if (at >= 0) position_ = schedule.holdings[static_cast<std::size_t>(at)].columns.expanded();
    }

    void add(const AttentionOp& op, int index) {
        op_ = index;
        if (op.kind == AttentionKind::ComputeAttn) return addAttn(op);
        if (op.kind == AttentionKind::ComputeLinear) return addHeads(linearLanes(op));
        if (op.kind == AttentionKind::AddInto) return addHeads(moves(op.source, op.target, 1));
        if (op.kind == AttentionKind::Cancel) return addHeads(moves(op.target, op.target, -1));
        const bool isSum = op.kind == AttentionKind::ComputeAdd;
        addPairs(moves(op.source, op.target, 1),
                 isSum ? moves(op.sourceB, op.target, 1) : moves(op.target, op.target, -1));
    }

private:
    const NodeGraph& g_;
    std::size_t dHead_;
    LayerDemand& out_;
    std::vector<Columns> position_;
    std::size_t head_ = 0;
    int op_ = 0;

    [[nodiscard]] std::int64_t column(std::size_t lane) const {
        return static_cast<std::int64_t>(head_ * dHead_ + lane);
    }

    static Lanes moves(const ColumnList& from, const ColumnList& onto, double factor) {
        const auto a = from.expanded(), b = onto.expanded();
        Lanes lanes(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            lanes[i] = {a[i], {{b[i], factor}}};
        return lanes;
    }

    [[nodiscard]] Lanes linearLanes(const AttentionOp& op) const {
        const Tensor& matrix = *g_.at(op.node).linear().matrix;
        const auto from = op.source.expanded(), onto = op.target.expanded();
        Lanes lanes(from.size());
        for (std::size_t i = 0; i < from.size(); ++i)
            lanes[i].from = from[i];
        for (const Tensor::Entry& e : matrix.entries)
            lanes[static_cast<std::size_t>(matrix.rowOf(e))].onto.emplace_back(
                onto[static_cast<std::size_t>(matrix.columnOf(e))], e.value);
        return lanes;
    }

    /// Lanes [begin, end) as one head at its own position, behind `taken` lanes of it.
    void addLanes(const Lanes& lanes, std::size_t begin, std::size_t end, std::size_t taken) {
        for (std::size_t i = begin; i < end; ++i, ++taken) {
            out_.value.add(lanes[i].from, column(taken), 1, op_);
            for (const auto& [onto, factor] : lanes[i].onto)
                out_.output.add(column(taken), onto, factor, op_);
        }
    }

    void lookAtSelf() {
        for (std::size_t r = 0; r < std::min(position_.size(), dHead_); ++r) {
            out_.query.add(position_[r], column(r), kOwnPosition, op_);
            out_.key.add(position_[r], column(r), 1, op_);
        }
    }

    void addHeads(const Lanes& lanes) {
        for (std::size_t begin = 0; begin < lanes.size(); begin += dHead_, ++head_) {
            lookAtSelf();
            addLanes(lanes, begin, std::min(begin + dHead_, lanes.size()), 0);
        }
    }

    /// Both chunks share a head if they fit together.
    void addPairs(const Lanes& a, const Lanes& b) {
        for (std::size_t begin = 0; begin < a.size(); begin += dHead_, ++head_) {
            const std::size_t end = std::min(begin + dHead_, a.size()), count = end - begin;
            const bool fits = 2 * count <= dHead_;
            lookAtSelf();
            addLanes(a, begin, end, 0);
            if (!fits) ++head_, lookAtSelf();
            addLanes(b, begin, end, fits ? count : 0);
        }
    }

    void addRows(Demand& demand, const Tensor& matrix, const ColumnList& columns) const {
        const auto rows = columns.expanded();
        for (const Tensor::Entry& e : matrix.entries)
            demand.add(rows[static_cast<std::size_t>(matrix.rowOf(e))],
                       column(static_cast<std::size_t>(matrix.columnOf(e))), e.value, op_);
    }

    /// Component c of the value goes through lane c % d_head of the node's head c / d_head.
    void addAttn(const AttentionOp& op) {
        const AttnData& data = g_.at(op.node).attn();
        const auto value = op.value.expanded(), onto = op.target.expanded();
        for (const Tensor::Entry& e : data.valueMatrix->entries)
            out_.value.add(value[static_cast<std::size_t>(data.valueMatrix->rowOf(e))],
                           column(static_cast<std::size_t>(data.valueMatrix->columnOf(e))), e.value, op_);
        for (const Tensor::Entry& e : data.outputMatrix->entries)
            out_.output.add(column(static_cast<std::size_t>(data.outputMatrix->rowOf(e))),
                            onto[static_cast<std::size_t>(data.outputMatrix->columnOf(e))], e.value, op_);
        for (std::size_t done = 0; done < static_cast<std::size_t>(data.v); done += dHead_, ++head_) {
            addRows(out_.query, *data.queryMatrix, op.query);
            addRows(out_.key, *data.keyMatrix, op.key);
        }
    }
};

class MlpDemand {
public:
    MlpDemand(const Program& program, const Layer& layer, LayerDemand& out)
        : p_(program), g_(program.graph), out_(out) {
        for (const MlpOp& op : layer.mlp)
            if (op.kind == MlpKind::Bias) lateBias_[op.node] = g_.at(op.node).linear().bias.get();
    }

    void add(const MlpOp& op, int index) {
        op_ = index;
        const Node& node = g_.at(op.node);
        const auto onto = op.target.expanded();
        if (op.kind == MlpKind::Bias) return addBias(*node.linear().bias, onto);
        if (op.kind == MlpKind::ComputeRelu) return addChain(op, onto);
        if (op.kind == MlpKind::LiteralValue) {
            for (std::size_t i = 0; i < onto.size(); ++i)
                out_.secondBias.add(0, onto[i], node.literal().value[i], op_);
            return;
        }
        const bool isBypass = op.kind == MlpKind::LinearBypass;
        const Tensor* matrix = isBypass ? node.linear().matrix.get() : nullptr;
        addReading(op, op.node, matrix, {op.slotRange.first, 1});
        addUnit(op.slotRange.first, onto, 1);
        if (!isBypass) return;
        const Slots negative = op.slotRange.first + node.width;
        addReading(op, op.node, matrix, {negative, -1});
        addUnit(negative, onto, -1);
        addBias(*node.linear().bias, onto);
    }

private:
    const Program& p_;
    const NodeGraph& g_;
    LayerDemand& out_;
    std::map<NodeId, const Tensor*> lateBias_;  ///< Linears whose bias the stream lacks while W1 reads it
    int op_ = 0;

    void addBias(const Tensor& bias, const std::vector<Columns>& onto) {
        for (const Tensor::Entry& e : bias.entries)
            out_.secondBias.add(0, onto[static_cast<std::size_t>(e.index)], e.value, op_);
    }

    void addUnit(Slots slot, const std::vector<Columns>& onto, double factor) {
        for (const Columns column : onto)
            out_.second.add(slot++, column, factor, op_);
    }

    void addChain(const MlpOp& op, const std::vector<Columns>& onto) {
        const LinearData& second = g_.at(op.node).linear();
        const NodeId firstId = g_.at(g_.at(op.node).inputs.front()).inputs.front();
        const LinearData& first = g_.at(firstId).linear();
        addReading(op, firstId, first.matrix.get(), {op.slotRange.first, 1});
        for (const Tensor::Entry& e : first.bias->entries)
            out_.firstBias.add(0, op.slotRange.first + e.index, e.value, op_);
        for (const Tensor::Entry& e : second.matrix->entries)
            out_.second.add(op.slotRange.first + second.matrix->rowOf(e),
                            onto[static_cast<std::size_t>(second.matrix->columnOf(e))], e.value, op_);
        addBias(*second.bias, onto);
    }

    /// factor * (input of `reader` * matrix) into the slots from `slot` on; without a matrix the identity.
    void addReading(const MlpOp& op, NodeId reader, const Tensor* matrix, std::pair<Slots, double> slotAndFactor) {
        const auto [slot, factor] = slotAndFactor;
        const auto from = op.source.expanded();
        const auto row = [&, slot = slot, factor = factor](std::size_t r, double bias) {
            const auto put = [&](std::int64_t column, double weight) {
                if (bias == 0) out_.first.add(from[r], slot + column, factor * weight, op_);
                out_.firstBias.add(0, slot + column, factor * weight * bias, op_);
            };
            if (matrix == nullptr) return put(static_cast<std::int64_t>(r), 1);
            for (const Tensor::Entry& e : matrix->row(static_cast<std::int64_t>(r)))
                put(matrix->columnOf(e), e.value);
        };
        for (std::size_t r = 0; r < from.size(); ++r)
            row(r, 0);
        std::size_t begin = 0;
        for (const NodeId leaf : p_.inputLeaves[reader.at()].front()) {
            if (const auto late = lateBias_.find(leaf); late != lateBias_.end())
                for (const Tensor::Entry& e : late->second->entries)
                    row(begin + static_cast<std::size_t>(e.index), e.value);
            begin += static_cast<std::size_t>(g_.at(leaf).width);
        }
    }
};

}  // namespace

std::int64_t Demand::rowsUsed() const {
    std::int64_t used = 0;
    for (const Part& part : parts)
        used = std::max(used, part.row + 1);
    return used;
}

std::int64_t Demand::columnsUsed() const {
    std::int64_t used = 0;
    for (const Part& part : parts)
        used = std::max(used, part.column + 1);
    return used;
}

LayerDemand demandOf(const Program& program, const Schedule& schedule, const Layer& layer) {
    LayerDemand out;
    AttentionDemand attention(program.graph, schedule, out);
    for (std::size_t i = 0; i < layer.attention.size(); ++i)
        attention.add(layer.attention[i], static_cast<int>(i));
    MlpDemand mlp(program, layer, out);
    for (std::size_t i = 0; i < layer.mlp.size(); ++i)
        mlp.add(layer.mlp[i], static_cast<int>(i));
    return out;
}

}  // namespace memplan::verify::torchwright

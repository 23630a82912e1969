// SPDX-License-Identifier: Apache-2.0
// Heads of the attention sublayer (torchwright.md 9, table of operations).
#include "engine/torchwright/weights/layer_sums.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr double kSelfGain = 100;  ///< of the query of a head that looks at its own position

class AttentionWriter {
public:
    AttentionWriter(const NodeGraph& graph, const Schedule& schedule, LayerSums& into)
        : graph_(graph), headWidth_(schedule.options.dHead), into_(into) {
        for (const Holding& holding : schedule.holdings)
            if (holding.owner == graph.position) position_ = holding.columns.expanded();
    }

    void write(const AttentionOp& op) {
        switch (op.kind) {
        case AttentionKind::ComputeAttn:
            return writeAttn(op);
        case AttentionKind::ComputeLinear:
            return writeLinear(op);
        case AttentionKind::ComputeAdd:
            return writeTwo(op, {op.source.expanded(), 1}, {op.sourceB.expanded(), 1});
        case AttentionKind::AddInto:
            return writeMove(op.source.expanded(), op.target.expanded(), 1);
        case AttentionKind::Cancel:
            return writeMove(op.target.expanded(), op.target.expanded(), -1);
        case AttentionKind::DeltaTransfer:
            return writeTwo(op, {op.source.expanded(), 1}, {op.target.expanded(), -1});
        }
    }
    [[nodiscard]] int heads() const { return head_; }

private:
    struct Addend {
        std::vector<Columns> columns;
        double sign = 1;
    };

    [[nodiscard]] std::int64_t lane(Columns i) const { return std::int64_t{head_} * headWidth_ + i; }

    /// Query and key of a head whose every position attends to itself alone.
    void writeSelf() {
        const Columns width = std::min(static_cast<Columns>(position_.size()), headWidth_);
        for (Columns i = 0; i < width; ++i) {
            into_.query.add(position_[static_cast<std::size_t>(i)], lane(i), kSelfGain);
            into_.key.add(position_[static_cast<std::size_t>(i)], lane(i), 1);
        }
    }

    void writeRows(TensorSum& sum, const Tensor& matrix, const std::vector<Columns>& columns) const {
        for (const Tensor::Entry& e : matrix.entries)
            sum.add(columns[static_cast<std::size_t>(matrix.rowOf(e))], lane(static_cast<Columns>(matrix.columnOf(e))),
                    e.value);
    }

    /// The value's columns are split over the heads, each of which has the whole query and key.
    void writeAttn(const AttentionOp& op) {
        const AttnData& data = graph_.at(op.node).attn();
        const auto query = op.query.expanded(), key = op.key.expanded();
        for (Columns begin = 0; begin < data.v; begin += headWidth_, ++head_) {
            writeRows(into_.query, *data.queryMatrix, query);
            writeRows(into_.key, *data.keyMatrix, key);
            writeAttnValue(op, begin, std::min(begin + headWidth_, data.v));
        }
    }

    void writeAttnValue(const AttentionOp& op, Columns begin, Columns end) {
        const AttnData& data = graph_.at(op.node).attn();
        const auto value = op.value.expanded(), target = op.target.expanded();
        for (const Tensor::Entry& e : data.valueMatrix->entries) {
            const auto column = static_cast<Columns>(data.valueMatrix->columnOf(e));
            if (column < begin || column >= end) continue;
            const auto row = static_cast<std::size_t>(data.valueMatrix->rowOf(e));
            into_.value.add(value[row], lane(column - begin), e.value);
        }
        for (Columns row = begin; row < end; ++row)
            for (const Tensor::Entry& e : data.outputMatrix->row(row))
                into_.output.add(lane(row - begin), target[static_cast<std::size_t>(data.outputMatrix->columnOf(e))],
                                 e.value);
    }

    void writeLinear(const AttentionOp& op) {
        const Tensor& matrix = *graph_.at(op.node).linear().matrix;
        const auto source = op.source.expanded(), target = op.target.expanded();
        const auto width = static_cast<Columns>(source.size());
        for (Columns begin = 0; begin < width; begin += headWidth_, ++head_) {
            writeSelf();
            for (Columns row = begin; row < std::min(begin + headWidth_, width); ++row) {
                into_.value.add(source[static_cast<std::size_t>(row)], lane(row - begin), 1);
                for (const Tensor::Entry& e : matrix.row(row))
                    into_.output.add(lane(row - begin), target[static_cast<std::size_t>(matrix.columnOf(e))], e.value);
            }
        }
    }

    /// sign * from, added to the columns `to`; `firstLane` of the head is the first that it takes.
    void writeLanes(const Addend& from, const std::vector<Columns>& to, std::pair<Columns, Columns> chunk,
                    Columns firstLane) {
        for (Columns i = chunk.first; i < chunk.second; ++i) {
            const std::int64_t at = lane(firstLane + i - chunk.first);
            into_.value.add(from.columns[static_cast<std::size_t>(i)], at, 1);
            into_.output.add(at, to[static_cast<std::size_t>(i)], from.sign);
        }
    }

    void writeMove(const std::vector<Columns>& from, const std::vector<Columns>& to, double sign) {
        const auto width = static_cast<Columns>(from.size());
        for (Columns begin = 0; begin < width; begin += headWidth_, ++head_) {
            writeSelf();
            writeLanes({from, sign}, to, {begin, std::min(begin + headWidth_, width)}, 0);
        }
    }

    /// Both addends share a head where a chunk of both fits.
    void writeTwo(const AttentionOp& op, const Addend& a, const Addend& b) {
        const auto target = op.target.expanded();
        const auto width = static_cast<Columns>(target.size());
        for (Columns begin = 0; begin < width; begin += headWidth_) {
            const Columns end = std::min(begin + headWidth_, width);
            const bool isShared = 2 * (end - begin) <= headWidth_;
            writeSelf();
            writeLanes(a, target, {begin, end}, 0);
            if (!isShared) {
                ++head_;
                writeSelf();
            }
            writeLanes(b, target, {begin, end}, isShared ? end - begin : 0);
            ++head_;
        }
    }

    const NodeGraph& graph_;
    Columns headWidth_;
    LayerSums& into_;
    std::vector<Columns> position_;
    int head_ = 0;
};

}  // namespace

int writeAttention(const NodeGraph& graph, const Schedule& schedule, const Layer& layer, LayerSums& into) {
    AttentionWriter writer(graph, schedule, into);
    for (const AttentionOp& op : layer.attention)
        writer.write(op);
    return writer.heads();
}

}  // namespace memplan::torchwright

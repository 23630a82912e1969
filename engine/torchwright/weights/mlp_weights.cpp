// SPDX-License-Identifier: Apache-2.0
// Slots of the MLP sublayer (torchwright.md 9). A Linear that this layer's attention computes gets its bias from this
// sublayer too, so whoever reads it here reads it without its bias, and adds that to the bias of its own slots.
#include "engine/torchwright/weights/layer_sums.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

class MlpWriter {
public:
    MlpWriter(const NodeGraph& graph, const Layer& layer, LayerSums& into) : graph_(graph), into_(into) {
        for (const MlpOp& op : layer.mlp)
            if (op.kind == MlpKind::Bias) late_.push_back(op.node);
    }

    void write(const MlpOp& op) {
        const Node& node = graph_.at(op.node);
        switch (op.kind) {
        case MlpKind::ComputeRelu:
            return writeChain(op);
        case MlpKind::StandaloneRelu:
            return writeRelu(op);
        case MlpKind::LinearBypass:
            return writeBypass(op);
        case MlpKind::LiteralValue:
            return writeLiteral(op);
        case MlpKind::Bias:
            return writeBias(*node.linear().bias, op.target.expanded());
        }
    }

private:
    /// What is still missing in a row of the value that is read.
    struct Missing {
        std::int64_t row = 0;
        double value = 0;
    };

    [[nodiscard]] std::vector<Missing> missingIn(NodeId input) const {
        std::vector<Missing> missing;
        std::int64_t row = 0;
        for (const NodeId leaf : leavesOf(graph_, input)) {
            if (std::ranges::find(late_, leaf) != late_.end())
                for (const Tensor::Entry& e : graph_.at(leaf).linear().bias->entries)
                    missing.push_back({row + e.index, e.value});
            row += graph_.at(leaf).width;
        }
        return missing;
    }

    void writeBias(const Tensor& bias, const std::vector<Columns>& target) {
        for (const Tensor::Entry& e : bias.entries)
            into_.secondBias.add(target[static_cast<std::size_t>(e.index)], e.value);
    }

    /// sign * (what `input` holds * matrix) into the slots from `slot` on.
    void writeReading(NodeId input, const Tensor& matrix, const MlpOp& op, std::pair<Slots, double> slotAndSign) {
        const auto [slot, sign] = slotAndSign;
        const auto source = op.source.expanded();
        for (const Tensor::Entry& e : matrix.entries)
            into_.first.add(source[static_cast<std::size_t>(matrix.rowOf(e))], slot + matrix.columnOf(e),
                            sign * static_cast<double>(e.value));
        for (const Missing& missing : missingIn(input))
            for (const Tensor::Entry& e : matrix.row(missing.row))
                into_.firstBias.add(slot + matrix.columnOf(e), sign * missing.value * static_cast<double>(e.value));
    }

    void writeChain(const MlpOp& op) {
        const LinearData& second = graph_.at(op.node).linear();
        const NodeId relu = graph_.at(op.node).inputs.front();
        const Node& firstNode = graph_.at(graph_.at(relu).inputs.front());
        writeReading(firstNode.inputs.front(), *firstNode.linear().matrix, op, {op.slotRange.first, 1.0});
        for (const Tensor::Entry& e : firstNode.linear().bias->entries)
            into_.firstBias.add(op.slotRange.first + e.index, e.value);
        const auto target = op.target.expanded();
        for (const Tensor::Entry& e : second.matrix->entries)
            into_.second.add(op.slotRange.first + second.matrix->rowOf(e),
                             target[static_cast<std::size_t>(second.matrix->columnOf(e))], e.value);
        writeBias(*second.bias, target);
    }

    void writeRelu(const MlpOp& op) {
        const auto source = op.source.expanded(), target = op.target.expanded();
        for (std::size_t i = 0; i < target.size(); ++i) {
            const std::int64_t slot = op.slotRange.first + static_cast<std::int64_t>(i);
            into_.first.add(source[i], slot, 1);
            into_.second.add(slot, target[i], 1);
        }
        for (const Missing& missing : missingIn(graph_.at(op.node).inputs.front()))
            into_.firstBias.add(op.slotRange.first + missing.row, missing.value);
    }

    /// x = ReLU(x) - ReLU(-x).
    void writeBypass(const MlpOp& op) {
        const Node& node = graph_.at(op.node);
        const auto target = op.target.expanded();
        const Slots negative = op.slotRange.first + node.width;
        writeReading(node.inputs.front(), *node.linear().matrix, op, {op.slotRange.first, 1.0});
        writeReading(node.inputs.front(), *node.linear().matrix, op, {negative, -1.0});
        for (std::size_t i = 0; i < target.size(); ++i) {
            into_.second.add(op.slotRange.first + static_cast<std::int64_t>(i), target[i], 1);
            into_.second.add(negative + static_cast<std::int64_t>(i), target[i], -1);
        }
        writeBias(*node.linear().bias, target);
    }

    void writeLiteral(const MlpOp& op) {
        const auto target = op.target.expanded();
        const std::vector<float>& value = graph_.at(op.node).literal().value;
        for (std::size_t i = 0; i < target.size(); ++i)
            into_.secondBias.add(target[i], value[i]);
    }

    const NodeGraph& graph_;
    LayerSums& into_;
    std::vector<NodeId> late_;  ///< Linears whose bias is written by this sublayer
};

}  // namespace

void writeMlp(const NodeGraph& graph, const Layer& layer, LayerSums& into) {
    MlpWriter writer(graph, layer, into);
    for (const MlpOp& op : layer.mlp)
        writer.write(op);
}

}  // namespace memplan::torchwright

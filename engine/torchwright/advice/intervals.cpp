// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/intervals.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Ranges = std::vector<ValueRange>;

/// Adds a multiple of one range onto another.
void addScaled(ValueRange& sum, const ValueRange& range, double factor) {
    if (factor == 0) return;
    sum.low += factor > 0 ? range.low * factor : range.high * factor;
    sum.high += factor > 0 ? range.high * factor : range.low * factor;
}

Ranges product(const Ranges& in, const Tensor& matrix, const Tensor* bias) {
    Ranges out(static_cast<std::size_t>(matrix.columns));
    for (const Tensor::Entry& e : matrix.entries)
        addScaled(out[static_cast<std::size_t>(matrix.columnOf(e))], in[static_cast<std::size_t>(matrix.rowOf(e))],
                  e.value);
    if (bias == nullptr) return out;
    for (const Tensor::Entry& e : bias->entries) {
        out[static_cast<std::size_t>(e.index)].low += e.value;
        out[static_cast<std::size_t>(e.index)].high += e.value;
    }
    return out;
}

Ranges ofTable(const Tensor& table) {
    Ranges out(static_cast<std::size_t>(table.columns), {kInfinity, -kInfinity});
    std::vector<std::int64_t> present(out.size(), 0);
    for (const Tensor::Entry& e : table.entries) {
        const auto column = static_cast<std::size_t>(table.columnOf(e));
        out[column].low = std::min<double>(out[column].low, e.value);
        out[column].high = std::max<double>(out[column].high, e.value);
        ++present[column];
    }
    for (std::size_t c = 0; c < out.size(); ++c)
        if (present[c] < table.rows) out[c] = {std::min(out[c].low, 0.0), std::max(out[c].high, 0.0)};
    return out;
}

class Propagation {
public:
    explicit Propagation(const NodeGraph& graph) : graph_(graph), ranges_(graph.size()) {}

    std::vector<Ranges> run() {
        for (const NodeId id : topologicalOrder(graph_))
            ranges_[id.at()] = rangesOf(graph_.at(id));
        return std::move(ranges_);
    }

private:
    [[nodiscard]] const Ranges& in(const Node& node, std::size_t i) const { return ranges_[node.inputs[i].at()]; }

    [[nodiscard]] Ranges rangesOf(const Node& node) const {
        const auto width = static_cast<std::size_t>(node.width);
        switch (node.kind) {
        case NodeKind::InputNode:
            return Ranges(width, {node.input().low, node.input().high});
        case NodeKind::LiteralValue:
            return literal(node);
        case NodeKind::PosEncoding:
            return position(width);
        case NodeKind::Embedding:
            return node.embedding().table ? ofTable(*node.embedding().table) : unbounded(width);
        case NodeKind::Linear:
            return node.linear().matrix ? product(in(node, 0), *node.linear().matrix, node.linear().bias.get())
                                        : unbounded(width);
        case NodeKind::ReLU:
            return relu(node);
        case NodeKind::Add:
            return sum(node);
        case NodeKind::Concatenate:
            return concatenated(node);
        case NodeKind::Attn:
            // A read is a mean of value rows, so it stays between the smallest and the largest of them.
            return node.attn().valueMatrix && node.attn().outputMatrix
                       ? product(product(in(node, 2), *node.attn().valueMatrix, nullptr), *node.attn().outputMatrix,
                                 nullptr)
                       : unbounded(width);
        default:
            return node.inputs.empty() ? Ranges(width) : in(node, 0);
        }
    }

    static Ranges unbounded(std::size_t width) { return Ranges(width, {-kInfinity, kInfinity}); }

    static Ranges literal(const Node& node) {
        Ranges out;
        for (const float value : node.literal().value)
            out.push_back({value, value});
        return out;
    }

    /// Sine and cosine, and the counter in the last column but one.
    static Ranges position(std::size_t width) {
        Ranges out(width, {-1, 1});
        if (width >= 2) out[width - 2] = {0, kInfinity};
        return out;
    }

    [[nodiscard]] Ranges relu(const Node& node) const {
        Ranges out = in(node, 0);
        for (ValueRange& range : out)
            range = {std::max(range.low, 0.0), std::max(range.high, 0.0)};
        return out;
    }

    [[nodiscard]] Ranges sum(const Node& node) const {
        Ranges out = in(node, 0);
        for (std::size_t i = 0; i < out.size(); ++i)
            addScaled(out[i], in(node, 1)[i], 1);
        return out;
    }

    [[nodiscard]] Ranges concatenated(const Node& node) const {
        Ranges out;
        for (const NodeId input : node.inputs)
            out.insert(out.end(), ranges_[input.at()].begin(), ranges_[input.at()].end());
        return out;
    }

    const NodeGraph& graph_;
    std::vector<Ranges> ranges_;
};

}  // namespace

std::vector<std::vector<ValueRange>> valueRanges(const NodeGraph& graph) {
    return Propagation(graph).run();
}

}  // namespace memplan::torchwright

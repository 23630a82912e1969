// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/fusion/fuse_linears.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

/// Occurrences as an input, Concatenates included; an output is read by the user.
std::vector<int> readersOf(const NodeGraph& graph) {
    std::vector<int> readers(graph.size(), 0);
    for (const Node& node : graph.nodes)
        for (const NodeId input : node.inputs)
            ++readers[input.at()];
    for (const NodeId output : graph.outputs())
        ++readers[output.at()];
    return readers;
}

bool isNotLarger(const Node& first, const Node& second) {
    const std::int64_t in = first.linear().inputWidth, mid = first.width, out = second.width;
    return in * out + out <= in * mid + mid + mid * out + out;
}

/// Sums a row of a product; what a row leaves behind costs as much as it has entries.
class RowSum {
public:
    explicit RowSum(std::int64_t columns) : sums_(static_cast<std::size_t>(columns), 0.0) {}

    void add(std::int64_t column, double value) {
        double& sum = sums_[static_cast<std::size_t>(column)];
        if (sum == 0) used_.push_back(column);
        sum += value;
    }

    /// Appends the row's entries and starts anew.
    void moveTo(Tensor& tensor, std::int64_t row) {
        std::ranges::sort(used_);
        for (const std::int64_t column : used_) {
            const auto value = static_cast<float>(std::exchange(sums_[static_cast<std::size_t>(column)], 0.0));
            if (value != 0) tensor.entries.push_back({row * tensor.columns + column, value});
        }
        used_.clear();
    }

private:
    std::vector<double> sums_;
    std::vector<std::int64_t> used_;
};

/// left * right, in double precision; `offset`, if any, is added to the first row.
TensorPtr product(const Tensor& left, const Tensor& right, const Tensor* offset) {
    Tensor out;
    out.rows = left.rows;
    out.columns = right.columns;
    RowSum sum(right.columns);
    if (offset != nullptr)
        for (const Tensor::Entry& e : offset->entries)
            sum.add(e.index, e.value);
    std::int64_t row = 0;
    for (const Tensor::Entry& a : left.entries) {
        if (left.rowOf(a) != row) {
            sum.moveTo(out, row);
            row = left.rowOf(a);
        }
        for (const Tensor::Entry& b : right.row(left.columnOf(a)))
            sum.add(right.columnOf(b), static_cast<double>(a.value) * b.value);
    }
    sum.moveTo(out, row);
    return std::make_shared<const Tensor>(std::move(out));
}

void fusePair(NodeGraph& graph, LinearPair pair) {
    const Node& first = graph.at(pair.first);
    Node& second = graph.at(pair.second);
    second.data = fusedData(first.linear(), second.linear());
    second.params = denseParams(second);
    second.inputs = first.inputs;
    // What the first waited for, the second waits for now.
    second.after.insert(second.after.end(), first.after.begin(), first.after.end());
    second.afterMissing.insert(second.afterMissing.end(), first.afterMissing.begin(), first.afterMissing.end());
    if (!first.name.empty() && !second.name.empty()) second.name = "fused_" + first.name + '_' + second.name;
}

/// Nodes that another waits for: their number may not vanish.
std::vector<bool> waitedFor(const NodeGraph& graph) {
    std::vector<bool> is(graph.size(), false);
    for (const Node& node : graph.nodes)
        for (const NodeId id : node.after)
            is[id.at()] = true;
    return is;
}

bool holds(const std::vector<NodeId>& list, NodeId id) {
    return std::ranges::find(list, id) != list.end();
}

}  // namespace

LinearData fusedData(const LinearData& first, const LinearData& second) {
    LinearData fused;
    fused.inputWidth = first.inputWidth;
    fused.hasBias = first.hasBias || second.hasBias;
    if (!first.matrix || !second.matrix) return fused;
    fused.matrix = product(*first.matrix, *second.matrix, nullptr);
    fused.bias = product(*first.bias, *second.matrix, second.bias.get());
    fused.nonZeros = static_cast<std::int64_t>(fused.matrix->entries.size());
    fused.hasBias = !fused.bias->entries.empty();
    return fused;
}

std::vector<LinearPair> fusablePairs(const NodeGraph& graph) {
    const std::vector<int> readers = readersOf(graph);
    std::vector<LinearPair> pairs;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node& second = graph.nodes[i];
        if (!second.is(NodeKind::Linear)) continue;
        const NodeId first = second.inputs.front();
        const bool isAlone = graph.at(first).is(NodeKind::Linear) && readers[first.at()] == 1;
        if (isAlone && isNotLarger(graph.at(first), second)) pairs.push_back({first, NodeId::of(i)});
    }
    std::ranges::sort(pairs, {}, &LinearPair::first);
    return pairs;
}

Fusion fuseLinears(const NodeGraph& graph, const FusionRule& rule) {
    Fusion out;
    out.graph = graph;
    const std::vector<bool> isWaitedFor = waitedFor(graph);
    for (const LinearPair& pair : fusablePairs(graph)) {
        const bool isWanted = holds(rule.wanted, pair.first) || (rule.fuseAll && !holds(rule.unwanted, pair.first));
        if (!isWanted) continue;
        if (holds(rule.kept, pair.first) || isWaitedFor[pair.first.at()]) {
            out.refused.push_back(pair);
            continue;
        }
        fusePair(out.graph, pair);
        out.fused.push_back(pair);
    }
    if (!out.fused.empty()) out.graph = withoutUnneeded(out.graph);
    return out;
}

}  // namespace memplan::torchwright

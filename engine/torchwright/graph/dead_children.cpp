// SPDX-License-Identifier: Apache-2.0
// An Attn reads a child of a Concatenate for nothing when every matrix over it has zeros in the child's rows
// (torchwright.md 2, construction errors).
#include "engine/torchwright/graph/raw_graph.h"

#include <algorithm>
#include <array>

namespace memplan::torchwright {
namespace {

bool isZeroBetween(const Tensor& matrix, std::int64_t firstRow, std::int64_t lastRow) {
    const auto at = std::ranges::lower_bound(matrix.entries, firstRow * matrix.columns, {}, &Tensor::Entry::index);
    return at == matrix.entries.end() || at->index >= lastRow * matrix.columns;
}

/// The matrices of the node that read this input.
std::vector<const Tensor*> matricesOver(const Node& node, NodeId input) {
    const AttnData& data = node.attn();
    const std::array<const Tensor*, 3> all{data.queryMatrix.get(), data.keyMatrix.get(), data.valueMatrix.get()};
    std::vector<const Tensor*> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (node.inputs[i] == input && all[i] != nullptr) found.push_back(all[i]);
    return found;
}

NodeId deadChild(const NodeGraph& graph, const Node& node, NodeId concatenate) {
    const auto matrices = matricesOver(node, concatenate);
    std::int64_t row = 0;
    for (const NodeId child : graph.at(concatenate).inputs) {
        const std::int64_t end = row + graph.at(child).width;
        const auto isZero = [row, end](const Tensor* m) { return isZeroBetween(*m, row, end); };
        if (end > row && std::ranges::all_of(matrices, isZero)) return child;
        row = end;
    }
    return {};
}

}  // namespace

void checkDeadChildren(const NodeGraph& graph, const Places& places, JsonFields& in) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (!node.is(NodeKind::Attn)) continue;
        for (const NodeId input : node.inputs) {
            if (!graph.at(input).is(NodeKind::Concatenate)) continue;
            const NodeId dead = deadChild(graph, node, input);
            if (!dead.isValid()) continue;
            in.error("TW-012", places[i],
                     "Attn node " + graph.label(NodeId::of(i)) + " reads node " + graph.label(dead) +
                         " in a Concatenate, but every row of it is zero in its matrices",
                     "leave that node out of the Concatenate");
            break;
        }
    }
}

}  // namespace memplan::torchwright

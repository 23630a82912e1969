// SPDX-License-Identifier: Apache-2.0
// A copy of a graph that is rewritten. Ids stay what they are until finish(), so that several rewrites follow each
// other; a node that changes keeps its number.
#pragma once

#include "engine/torchwright/graph/node_graph.h"

namespace memplan::torchwright {

class GraphEdit {
public:
    explicit GraphEdit(const NodeGraph& graph) : graph_(graph) {}

    [[nodiscard]] const NodeGraph& graph() const { return graph_; }
    [[nodiscard]] Node& at(NodeId id) { return graph_.at(id); }

    /// New nodes get the next free numbers and the annotation of `like`.
    NodeId concatenate(std::vector<NodeId> parts, NodeId like);
    NodeId linear(NodeId input, Columns width, LinearData data, NodeId like);
    NodeId relu(NodeId input, NodeId like);
    NodeId attn(std::vector<NodeId> inputs, Columns width, AttnData data, NodeId like);

    /// The node becomes a Linear of this input; it keeps number, name, annotation, width and readers.
    void makeLinear(NodeId id, NodeId input, LinearData data);
    /// The node waits for what another waited for.
    void inheritAfter(NodeId id, NodeId from);
    /// Who reads or waits for `from` reads or waits for `to`. Outputs stay what they are.
    void redirect(NodeId from, NodeId to);

    /// Without the nodes that nothing needs any more.
    [[nodiscard]] NodeGraph finish() const { return withoutUnneeded(graph_); }

private:
    NodeId add(Node node, NodeId like);

    NodeGraph graph_;
};

}  // namespace memplan::torchwright

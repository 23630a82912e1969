// SPDX-License-Identifier: Apache-2.0
// NodeGraph: the program of this machine (torchwright.md 2, architecture 4.4), immutable between passes. A pass that
// removes nodes gives a new graph in which ids are counted anew; `number` of a node never changes.
#pragma once

#include "engine/torchwright/graph/node.h"

namespace memplan::torchwright {

struct NodeGraph {
    std::string name;
    /// By ascending number. Every node is needed by an output, except the position encoding, which is always here.
    std::vector<Node> nodes;
    NodeId output;
    std::vector<NodeId> extraOutputs;  ///< further nodes that are computed and never die
    NodeId position;          ///< the position encoding: first columns of the stream; invalid = withPosition adds one
    bool hasTensors = false;  ///< weights are here: the graph can be evaluated

    friend bool operator==(const NodeGraph&, const NodeGraph&) = default;

    [[nodiscard]] const Node& at(NodeId id) const { return nodes[id.at()]; }
    [[nodiscard]] Node& at(NodeId id) { return nodes[id.at()]; }
    [[nodiscard]] std::size_t size() const { return nodes.size(); }
    /// Output and extra outputs.
    [[nodiscard]] std::vector<NodeId> outputs() const;
    /// The node of this number; an invalid id when there is none. Binary search.
    [[nodiscard]] NodeId find(std::int64_t number) const;
    /// "12 (mul_hi)" for messages: number, and name if it has one.
    [[nodiscard]] std::string label(NodeId id) const;
};

/// Flattened children of a Concatenate that are none themselves, in order, placeholders left out; any other node is its
/// own leaf.
[[nodiscard]] std::vector<NodeId> leavesOf(const NodeGraph& graph, NodeId id);
/// Inputs before the nodes that read them. Ties: lower id.
[[nodiscard]] std::vector<NodeId> topologicalOrder(const NodeGraph& graph);
/// The nodes that an output needs (marks by id; `after` edges do not count). Marks the position encoding only if read.
[[nodiscard]] std::vector<bool> neededNodes(const NodeGraph& graph);
/// The same graph with a position encoding of this width and the next free number, unless it has one.
[[nodiscard]] NodeGraph withPosition(const NodeGraph& graph, Columns width);
/// The same graph without the nodes that nothing needs, and without `after` edges to them.
[[nodiscard]] NodeGraph withoutUnneeded(const NodeGraph& graph);
/// Without Assert and DebugWatch: every edge, `after` edges too, goes to what they pass through (torchwright.md 2).
[[nodiscard]] NodeGraph stripped(const NodeGraph& graph);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Who reads what (torchwright.md 5), computed once for a graph: flattened inputs, consumers, distances.
#pragma once

#include "engine/torchwright/graph/node_graph.h"

namespace memplan::torchwright {

/// Tables by node. Lists are ascending unless said.
struct Relations {
    std::vector<std::vector<NodeId>> consumers;  ///< nodes that have it as an input, each once
    /// Leaves of all inputs in order, per occurrence: the values that a node reads. Of a Concatenate: its own leaves.
    std::vector<std::vector<NodeId>> reads;
    /// Consumers with each Concatenate replaced by its own; a Concatenate that nobody reads stands for itself. Empty
    /// for a Concatenate.
    std::vector<std::vector<NodeId>> effective;
    std::vector<bool> isOutput;  ///< a leaf of an output: never dies
    std::vector<int> distance;   ///< longest way to an output in edges, -1 for a node that no output needs
    std::vector<int> depth;      ///< longest way from a node without inputs
    int longest = 0;             ///< largest distance: the length of the critical path

    [[nodiscard]] bool isOnLongestPath(NodeId id) const { return distance[id.at()] + depth[id.at()] == longest; }
};

[[nodiscard]] Relations relationsOf(const NodeGraph& graph);

}  // namespace memplan::torchwright

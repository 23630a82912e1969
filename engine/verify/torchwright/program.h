// SPDX-License-Identifier: Apache-2.0
// Who reads what, worked out by the validator itself.
#pragma once

#include "engine/base/numeric.h"
#include "engine/torchwright/graph/node_graph.h"

#include <vector>

namespace memplan::verify::torchwright {

using memplan::torchwright::NodeId;

struct Program {
    explicit Program(const memplan::torchwright::NodeGraph& graph);

    const memplan::torchwright::NodeGraph& graph;
    /// By node, by input: the values that it is made of, in order.
    std::vector<std::vector<std::vector<NodeId>>> inputLeaves;
    std::vector<std::vector<NodeId>> ownLeaves;  ///< of a Concatenate its parts, else the node itself
    std::vector<std::vector<NodeId>> readers;    ///< that compute something of it, each once; through Concatenates
    std::vector<bool> isHeld;                    ///< a part of an output
    std::vector<int> distance, depth;            ///< edges to an output (-1: none) and from a node without inputs
    int longest = 0;
    bool isWhole = true;        ///< false for a graph with a cycle
    std::vector<NodeId> order;  ///< inputs before the nodes that read them

private:
    void sort();
    void flatten();
    void measure();
};

/// Heads that carry so many columns.
[[nodiscard]] constexpr int headsFor(int columns, int dHead) {
    return static_cast<int>(ceilDiv(columns, dHead));
}

/// "(none)" where a node has none.
[[nodiscard]] std::string annotationOf(const memplan::torchwright::Node& node);

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
// Questions about a directed graph given as edges: neighbourhoods, ancestors and descendants, all
// paths between two nodes, critical paths (user-experience 5.6, 5.7).
#pragma once

#include "widgets/graphlayout/layout_graph.h"

#include <cstdint>
#include <vector>

namespace memplan::graphlayout {

/// Successors and predecessors of every node; built once, asked often.
class Adjacency {
public:
    Adjacency() = default;
    Adjacency(int nodeCount, const std::vector<LayoutEdge>& edges);

    [[nodiscard]] int nodeCount() const { return static_cast<int>(out_.size()); }
    [[nodiscard]] const std::vector<int>& successors(int node) const { return out_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] const std::vector<int>& predecessors(int node) const { return in_[static_cast<std::size_t>(node)]; }

private:
    std::vector<std::vector<int>> out_, in_;
};

/// One flag per node.
using NodeSet = std::vector<char>;

/// The seeds and everything at most `hops` edges away in either direction.
[[nodiscard]] NodeSet neighbourhood(const Adjacency& graph, const std::vector<int>& seeds, int hops);

/// Direct neighbours of each shown node that are not shown: the "+n" stubs, before and after it.
struct HiddenNeighbours {
    int before = 0;
    int after = 0;
    friend bool operator==(const HiddenNeighbours&, const HiddenNeighbours&) = default;
};
[[nodiscard]] std::vector<HiddenNeighbours> hiddenNeighbours(const Adjacency& graph, const NodeSet& shown);

/// Everything that reaches / is reached from the node, without the node itself.
[[nodiscard]] NodeSet ancestors(const Adjacency& graph, int node);
[[nodiscard]] NodeSet descendants(const Adjacency& graph, int node);

/// Nodes on any path between the two, in whichever direction one exists; both ends included, all
/// zero when there is none.
[[nodiscard]] NodeSet nodesBetween(const Adjacency& graph, int a, int b);

struct CriticalPaths {
    NodeSet onPath;           ///< nodes of all tied longest paths
    std::int64_t length = 0;  ///< sum of the weights along one of them
    std::int64_t count = 0;   ///< number of tied paths, at most kMostPaths
    static constexpr std::int64_t kMostPaths = 1000000;
};

/// Longest paths by the sum of node weights (>= 0). Edges that go from a later to an earlier node of
/// a cycle are ignored. `weights` has one entry per node.
[[nodiscard]] CriticalPaths criticalPaths(const Adjacency& graph, const std::vector<std::int64_t>& weights);

}  // namespace memplan::graphlayout

// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/layout_graph.h"

#include <cmath>

namespace memplan::graphlayout {
namespace {

constexpr double kLargestSide = 100000;  // px; anything larger is a broken request

bool isSide(double v) {
    return std::isfinite(v) && v > 0 && v <= kLargestSide;
}

bool isIndex(int i, std::size_t count) {
    return i >= 0 && static_cast<std::size_t>(i) < count;
}

}  // namespace

std::string faultOf(const LayoutGraph& graph) {
    for (std::size_t i = 0; i < graph.clusters.size(); ++i) {
        const int parent = graph.clusters[i].parent;
        if (parent != -1 && !isIndex(parent, i))
            return "cluster " + std::to_string(i) + ": parent does not stand before it";
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const LayoutNode& n = graph.nodes[i];
        if (!isSide(n.width) || !isSide(n.height)) return "node " + std::to_string(i) + ": size out of range";
        if (n.cluster != -1 && !isIndex(n.cluster, graph.clusters.size()))
            return "node " + std::to_string(i) + ": no cluster " + std::to_string(n.cluster);
    }
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const LayoutEdge& e = graph.edges[i];
        if (!isIndex(e.from, graph.nodes.size()) || !isIndex(e.to, graph.nodes.size()))
            return "edge " + std::to_string(i) + ": end is no node";
    }
    return {};
}

}  // namespace memplan::graphlayout

// SPDX-License-Identifier: Apache-2.0
// What is drawn of a grouped graph: nodes whose groups are all open, closed groups as one box, open
// groups as frames, edges between boxes merged with a count (user-experience 5.2).
#pragma once

#include "widgets/graphlayout/grouping.h"
#include "widgets/graphlayout/layout_graph.h"

#include <set>
#include <string>
#include <vector>

namespace memplan::graphlayout {

struct VisibleNode {
    int node = -1;   ///< source node, -1 for a closed group
    int group = -1;  ///< closed group, -1 for a node
    int frame = -1;  ///< index into VisibleGraph::frames
    [[nodiscard]] bool isGroup() const { return group >= 0; }
    friend bool operator==(const VisibleNode&, const VisibleNode&) = default;
};

struct VisibleEdge {
    int from = 0;  ///< index into VisibleGraph::nodes
    int to = 0;
    long long bytes = 0;       ///< sum over the merged edges
    std::vector<int> sources;  ///< merged source edges, ascending
    friend bool operator==(const VisibleEdge&, const VisibleEdge&) = default;
};

struct VisibleFrame {
    int group = -1;
    int parent = -1;  ///< index into VisibleGraph::frames
    friend bool operator==(const VisibleFrame&, const VisibleFrame&) = default;
};

struct VisibleGraph {
    std::vector<VisibleNode> nodes;    ///< by first source node
    std::vector<VisibleEdge> edges;    ///< by first merged source edge
    std::vector<VisibleFrame> frames;  ///< parents before children
    std::vector<int> visibleOfNode;    ///< for each source node its box, -1 when outside the page
};

struct VisibleRequest {
    std::set<std::string> open;  ///< paths of open groups
    int page = -1;               ///< show only the inside of this group, -1 = all
    std::vector<char> keep;      ///< when not empty: show only source nodes with a non-zero entry
};

/// Two nodes keep one edge per source edge; as soon as a closed group is at one end all edges between
/// the two boxes become one.
[[nodiscard]] VisibleGraph visibleGraph(const GroupTree& tree, const std::vector<SourceEdge>& edges,
                                        const VisibleRequest& request);

/// Paths of all groups that are open when the picture is opened to `depth`.
[[nodiscard]] std::set<std::string> openAtDepth(const GroupTree& tree, int depth);

/// Frames become clusters, boxes get the sizes given for nodes and for closed groups (width, height).
struct BoxSizes {
    double nodeWidth = 160, nodeHeight = 40, groupWidth = 160, groupHeight = 56;
};
[[nodiscard]] LayoutGraph layoutGraphOf(const VisibleGraph& visible, Direction direction, const BoxSizes& sizes);

}  // namespace memplan::graphlayout

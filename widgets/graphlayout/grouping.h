// SPDX-License-Identifier: Apache-2.0
// The tree of groups behind a graph picture: nodes carry a path ("attn/softmax"), every prefix is a
// group. Also the choice of the opening depth and the search for identical groups
// (user-experience 5.2, 5.3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memplan::graphlayout {

struct Group {
    std::string name;         ///< last part of the path
    std::string path;         ///< whole path, unique
    int parent = -1;          ///< index of the enclosing group
    int depth = 0;            ///< 0 = top level
    int firstNode = 0;        ///< smallest node inside; orders groups among nodes
    int memberCount = 0;      ///< nodes inside, at any depth
    std::vector<int> groups;  ///< direct child groups, by first node
    std::vector<int> nodes;   ///< direct member nodes, ascending
};

/// Groups in order of their first node, parents before children.
class GroupTree {
public:
    /// One path per node; an empty path puts the node at top level, empty parts are ignored.
    [[nodiscard]] static GroupTree fromPaths(const std::vector<std::string>& paths);

    [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
    [[nodiscard]] const Group& group(int index) const { return groups_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int groupOfNode(int node) const { return groupOfNode_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] int nodeCount() const { return static_cast<int>(groupOfNode_.size()); }
    /// Index of the group with this path, -1 when there is none.
    [[nodiscard]] int find(std::string_view path) const;
    /// All nodes inside a group at any depth, ascending; -1 gives every node.
    [[nodiscard]] std::vector<int> membersOf(int group) const;
    /// Number of levels, 0 without groups.
    [[nodiscard]] int levels() const;
    /// Nodes and group boxes to be seen when all groups above `depth` are open; depth 0 = all closed.
    [[nodiscard]] int visibleAtDepth(int depth) const;
    /// Deepest depth with at most `limit` visible items (5.3: as little grouping as possible), -1 when
    /// even depth 0 shows more.
    [[nodiscard]] int openingDepth(int limit) const;

private:
    std::vector<Group> groups_;
    std::vector<int> groupOfNode_;
};

/// Paths with one more top level "steps a-b" of consecutive nodes, so that at most `limit` items are
/// seen at depth 0. Used when the input's own groups are too few to page by (5.3).
[[nodiscard]] std::vector<std::string> pagedPaths(const std::vector<std::string>& paths, int limit);

/// An edge of the whole graph, for the comparison of groups and for merging.
struct SourceEdge {
    int from = 0;
    int to = 0;
    long long bytes = 0;
};

/// Class of every group: groups with equal kinds, shapes and wiring inside have the same class; -1
/// where a group is like no other. `signatures` says kind and shape of a node in one string.
[[nodiscard]] std::vector<int> alikeClasses(const GroupTree& tree, const std::vector<std::string>& signatures,
                                            const std::vector<SourceEdge>& edges);

/// How many groups share the class of this one (1 = none other).
[[nodiscard]] int alikeCount(const std::vector<int>& classes, int group);

}  // namespace memplan::graphlayout

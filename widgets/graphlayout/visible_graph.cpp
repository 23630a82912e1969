// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/visible_graph.h"

#include <algorithm>
#include <map>
#include <utility>

namespace memplan::graphlayout {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// Groups from the page (exclusive) down to the node's own; nullopt-like flag when outside the page.
struct Ancestry {
    std::vector<int> groups;
    bool isInPage = true;
};

Ancestry ancestryOf(const GroupTree& tree, int node, int page) {
    Ancestry a;
    int g = tree.groupOfNode(node);
    while (g >= 0 && g != page) {
        a.groups.push_back(g);
        g = tree.group(g).parent;
    }
    a.isInPage = g == page;
    std::reverse(a.groups.begin(), a.groups.end());
    return a;
}

class Builder {
public:
    Builder(const GroupTree& tree, const VisibleRequest& request) : tree_(tree), request_(request) {
        result_.visibleOfNode.assign(at(tree.nodeCount()), -1);
        isOpen_.reserve(tree.groups().size());
        for (const Group& g : tree.groups())
            isOpen_.push_back(request.open.count(g.path) > 0 ? 1 : 0);
    }

    VisibleGraph build(const std::vector<SourceEdge>& edges) {
        for (int node = 0; node < tree_.nodeCount(); ++node)
            addNode(node);
        for (std::size_t e = 0; e < edges.size(); ++e)
            addEdge(edges[e], static_cast<int>(e));
        return std::move(result_);
    }

private:
    void addNode(int node) {
        if (!request_.keep.empty() && request_.keep[at(node)] == 0) return;
        const Ancestry path = ancestryOf(tree_, node, request_.page);
        if (!path.isInPage) return;
        int frame = -1;
        for (const int g : path.groups) {
            if (isOpen_[at(g)] == 0) {
                result_.visibleOfNode[at(node)] = boxOfGroup(g, frame);
                return;
            }
            frame = frameOf(g, frame);
        }
        result_.visibleOfNode[at(node)] = static_cast<int>(result_.nodes.size());
        result_.nodes.push_back({node, -1, frame});
    }

    int boxOfGroup(int group, int frame) {
        const auto [it, isNew] = boxes_.try_emplace(group, static_cast<int>(result_.nodes.size()));
        if (isNew) result_.nodes.push_back({-1, group, frame});
        return it->second;
    }

    int frameOf(int group, int parent) {
        const auto [it, isNew] = frames_.try_emplace(group, static_cast<int>(result_.frames.size()));
        if (isNew) result_.frames.push_back({group, parent});
        return it->second;
    }

    void addEdge(const SourceEdge& edge, int id) {
        const int from = result_.visibleOfNode[at(edge.from)], to = result_.visibleOfNode[at(edge.to)];
        if (from < 0 || to < 0 || from == to) return;
        const bool merges = result_.nodes[at(from)].isGroup() || result_.nodes[at(to)].isGroup();
        if (merges) {
            const auto [it, isNew] = merged_.try_emplace({from, to}, static_cast<int>(result_.edges.size()));
            if (!isNew) {
                result_.edges[at(it->second)].bytes += edge.bytes;
                result_.edges[at(it->second)].sources.push_back(id);
                return;
            }
        }
        result_.edges.push_back({from, to, edge.bytes, {id}});
    }

    const GroupTree& tree_;
    const VisibleRequest& request_;
    VisibleGraph result_;
    std::vector<char> isOpen_;
    std::map<int, int> boxes_, frames_;
    std::map<std::pair<int, int>, int> merged_;
};

}  // namespace

VisibleGraph visibleGraph(const GroupTree& tree, const std::vector<SourceEdge>& edges, const VisibleRequest& request) {
    return Builder(tree, request).build(edges);
}

std::set<std::string> openAtDepth(const GroupTree& tree, int depth) {
    std::set<std::string> open;
    for (const Group& g : tree.groups())
        if (g.depth < depth) open.insert(g.path);
    return open;
}

LayoutGraph layoutGraphOf(const VisibleGraph& visible, Direction direction, const BoxSizes& sizes) {
    LayoutGraph graph;
    graph.direction = direction;
    for (const VisibleFrame& f : visible.frames)
        graph.clusters.push_back({f.parent});
    for (const VisibleNode& n : visible.nodes) {
        LayoutNode box;
        box.width = n.isGroup() ? sizes.groupWidth : sizes.nodeWidth;
        box.height = n.isGroup() ? sizes.groupHeight : sizes.nodeHeight;
        box.cluster = n.frame;
        graph.nodes.push_back(box);
    }
    for (const VisibleEdge& e : visible.edges)
        graph.edges.push_back({e.from, e.to});
    return graph;
}

}  // namespace memplan::graphlayout

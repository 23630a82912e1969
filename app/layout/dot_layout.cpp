// SPDX-License-Identifier: Apache-2.0
#include "app/layout/dot_layout.h"

#include <algorithm>
#include <gvc.h>
#include <memory>
#include <string>
#include <vector>

namespace memplan::layout {
namespace {

using namespace graphlayout;

constexpr double kPointsPerInch = 72;
constexpr double kClusterHead = 20;  // px above a cluster's content, room for its name

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

struct ContextDeleter {
    void operator()(GVC_t* c) const { gvFreeContext(c); }
};
struct GraphDeleter {
    void operator()(Agraph_t* g) const { agclose(g); }
};
using Context = std::unique_ptr<GVC_t, ContextDeleter>;
using DotGraph = std::unique_ptr<Agraph_t, GraphDeleter>;

/// Graphviz takes char* where it only reads.
class Attributes {
public:
    static void set(void* object, const char* name, const std::string& value) {
        std::string n = name, v = value, none;
        agsafeset(object, n.data(), v.data(), none.data());
    }
    static void setHtml(Agraph_t* graph, const char* name, const std::string& value) {
        std::string n = name, v = value, none;
        char* html = agstrdup_html(graph, v.data());
        agsafeset(graph, n.data(), html, none.data());
        agstrfree(graph, html);
    }
};

std::string inches(double px) {
    const auto hundredths = static_cast<long long>(px / kPointsPerInch * 10000 + 0.5);
    std::string digits = std::to_string(hundredths % 10000);
    return std::to_string(hundredths / 10000) + '.' + std::string(4 - digits.size(), '0') + digits;
}

/// 1 px = 1 point. The gaps are those of the design's pictures: 24 px between neighbours, 42 px
/// between ranks.
void setGraphAttributes(Agraph_t* dot, Direction direction) {
    Attributes::set(dot, "rankdir", direction == Direction::TopToBottom ? "TB" : "LR");
    Attributes::set(dot, "nodesep", inches(24));
    Attributes::set(dot, "ranksep", inches(42));
    Attributes::set(dot, "splines", "true");
    Attributes::set(dot, "outputorder", "edgesfirst");
}

std::vector<Agraph_t*> addClusters(Agraph_t* dot, const LayoutGraph& graph) {
    std::vector<Agraph_t*> clusters;
    for (std::size_t i = 0; i < graph.clusters.size(); ++i) {
        const int parent = graph.clusters[i].parent;
        std::string name = "cluster" + std::to_string(i);
        Agraph_t* c = agsubg(parent < 0 ? dot : clusters[at(parent)], name.data(), 1);
        Attributes::set(c, "margin", "12");
        // A table of fixed size keeps room for the name whatever fonts the machine has.
        const std::string head = std::to_string(static_cast<int>(kClusterHead) - 8);
        Attributes::setHtml(c, "label",
                            "<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"40\" HEIGHT=\"" + head +
                                "\"><TR><TD></TD></TR></TABLE>");
        clusters.push_back(c);
    }
    return clusters;
}

std::vector<Agnode_t*> addNodes(Agraph_t* dot, const LayoutGraph& graph, const std::vector<Agraph_t*>& clusters) {
    std::vector<Agnode_t*> nodes;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const LayoutNode& n = graph.nodes[i];
        std::string name = "n" + std::to_string(i);
        Agnode_t* node = agnode(dot, name.data(), 1);
        Attributes::set(node, "shape", "box");
        Attributes::set(node, "fixedsize", "true");
        Attributes::set(node, "label", "");
        Attributes::set(node, "width", inches(n.width));
        Attributes::set(node, "height", inches(n.height));
        if (n.cluster >= 0) agsubnode(clusters[at(n.cluster)], node, 1);
        nodes.push_back(node);
    }
    return nodes;
}

std::vector<Agedge_t*> addEdges(Agraph_t* dot, const LayoutGraph& graph, const std::vector<Agnode_t*>& nodes) {
    std::vector<Agedge_t*> edges;
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const LayoutEdge& e = graph.edges[i];
        if (e.from == e.to) {
            edges.push_back(nullptr);
            continue;
        }
        std::string name = "e" + std::to_string(i);
        Agedge_t* edge = agedge(dot, nodes[at(e.from)], nodes[at(e.to)], name.data(), 1);
        Attributes::set(edge, "arrowhead", "none");
        edges.push_back(edge);
    }
    return edges;
}

/// Graphviz has its origin at the bottom left.
struct Flip {
    double left = 0;
    double top = 0;
    [[nodiscard]] Point point(double x, double y) const { return {x - left, top - y}; }
    [[nodiscard]] Rect rect(const boxf& b) const {
        return {b.LL.x - left, top - b.UR.y, b.UR.x - b.LL.x, b.UR.y - b.LL.y};
    }
};

EdgePath pathOf(Agedge_t* edge, const Flip& flip) {
    EdgePath path;
    if (edge == nullptr || ED_spl(edge) == nullptr || ED_spl(edge)->size == 0) return path;
    path.isSpline = true;
    const bezier& spline = ED_spl(edge)->list[0];
    const auto count = static_cast<std::size_t>(spline.size);
    for (std::size_t i = 0; i < count; ++i)
        path.points.push_back(flip.point(spline.list[i].x, spline.list[i].y));
    if (path.points.size() % 3 != 1) return {};
    return path;
}

LayoutResult collect(const LayoutGraph& graph, Agraph_t* dot, const std::vector<Agnode_t*>& nodes,
                     const std::vector<Agedge_t*>& edges, const std::vector<Agraph_t*>& clusters) {
    LayoutResult result;
    const boxf all = GD_bb(dot);
    const Flip flip{all.LL.x, all.UR.y};
    result.width = all.UR.x - all.LL.x;
    result.height = all.UR.y - all.LL.y;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Point centre = flip.point(ND_coord(nodes[i]).x, ND_coord(nodes[i]).y);
        const LayoutNode& n = graph.nodes[i];
        result.nodes.push_back({centre.x - n.width / 2, centre.y - n.height / 2, n.width, n.height});
    }
    for (Agedge_t* e : edges)
        result.edges.push_back(pathOf(e, flip));
    for (Agraph_t* c : clusters)
        result.clusters.push_back(flip.rect(GD_bb(c)));
    return result;
}

}  // namespace

std::optional<LayoutResult> dotLayout(const LayoutGraph& graph) {
    agseterr(AGMAX);  // our own messages only
    const Context context(gvContext());
    if (!context) return std::nullopt;
    std::string name = "g";
    const DotGraph dot(agopen(name.data(), Agdirected, nullptr));
    setGraphAttributes(dot.get(), graph.direction);
    const std::vector<Agraph_t*> clusters = addClusters(dot.get(), graph);
    const std::vector<Agnode_t*> nodes = addNodes(dot.get(), graph, clusters);
    const std::vector<Agedge_t*> edges = addEdges(dot.get(), graph, nodes);
    if (gvLayout(context.get(), dot.get(), "dot") != 0) return std::nullopt;
    LayoutResult result = collect(graph, dot.get(), nodes, edges, clusters);
    gvFreeLayout(context.get(), dot.get());
    return result;
}

}  // namespace memplan::layout

// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/layered_layout.h"

#include "widgets/graphlayout/rank_order.h"

#include <queue>

#include <algorithm>
#include <numeric>

namespace memplan::graphlayout {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// An edge in the direction of falling ranks; `turned` edges closed a cycle.
struct DownEdge {
    int from = 0;
    int to = 0;
    bool turned = false;
};

/// Topological position of every node. Where only cycles are left, the lowest id goes first: ids are
/// schedule positions, so that is the order in which the operations run.
std::vector<int> topologicalPositions(const LayoutGraph& graph) {
    const std::size_t n = graph.nodes.size();
    std::vector<std::vector<int>> out(n);
    std::vector<int> missing(n, 0), position(n, -1);
    for (const LayoutEdge& e : graph.edges) {
        if (e.from == e.to) continue;
        out[at(e.from)].push_back(e.to);
        ++missing[at(e.to)];
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < n; ++i)
        if (missing[i] == 0) ready.push(static_cast<int>(i));
    int next = 0;
    std::size_t lowest = 0;
    while (next < static_cast<int>(n)) {
        if (ready.empty()) {
            while (position[lowest] >= 0)
                ++lowest;
            ready.push(static_cast<int>(lowest));
        }
        const int v = ready.top();
        ready.pop();
        if (position[at(v)] >= 0) continue;
        position[at(v)] = next++;
        for (const int w : out[at(v)])
            if (--missing[at(w)] == 0 && position[at(w)] < 0) ready.push(w);
    }
    return position;
}

std::vector<DownEdge> downEdges(const LayoutGraph& graph, const std::vector<int>& position) {
    std::vector<DownEdge> edges;
    edges.reserve(graph.edges.size());
    for (const LayoutEdge& e : graph.edges) {
        const bool turned = position[at(e.from)] > position[at(e.to)];
        edges.push_back(turned ? DownEdge{e.to, e.from, true} : DownEdge{e.from, e.to, false});
    }
    return edges;
}

std::vector<int> ranksOf(const LayoutGraph& graph, const std::vector<int>& position,
                         const std::vector<DownEdge>& edges) {
    const std::size_t n = graph.nodes.size();
    std::vector<int> byPosition(n), rank(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        byPosition[at(position[i])] = static_cast<int>(i);
        rank[i] = std::max(0, graph.nodes[i].minRank);
    }
    std::vector<std::vector<int>> out(n);
    for (const DownEdge& e : edges)
        if (e.from != e.to) out[at(e.from)].push_back(e.to);
    for (const int v : byPosition)
        for (const int w : out[at(v)])
            rank[at(w)] = std::max(rank[at(w)], rank[at(v)] + 1);
    return rank;
}

/// Nodes and invisible points by rank, and for each edge its chain from the upper to the lower node.
struct Net {
    RankedNet ranked;
    std::vector<std::vector<int>> chains;
};

Net buildNet(const std::vector<int>& rank, const std::vector<DownEdge>& edges) {
    Net net;
    for (const int r : rank)
        net.ranked.addItem(r);
    net.chains.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const DownEdge& e = edges[i];
        if (e.from == e.to) continue;
        std::vector<int>& chain = net.chains[i];
        chain.push_back(e.from);
        for (int r = rank[at(e.from)] + 1; r < rank[at(e.to)]; ++r)
            chain.push_back(net.ranked.addItem(r));
        chain.push_back(e.to);
        for (std::size_t k = 1; k < chain.size(); ++k)
            net.ranked.connect(chain[k - 1], chain[k]);
    }
    return net;
}

/// Pixel pitches; larger than the standard ones only when a box is larger than the standard box.
struct Pitch {
    double across = kNodePitch;
    double along = kRankPitch;
};

Pitch pitchOf(const LayoutGraph& graph) {
    const bool down = graph.direction == Direction::TopToBottom;
    double widest = 0, highest = 0;
    for (const LayoutNode& n : graph.nodes) {
        widest = std::max(widest, n.width);
        highest = std::max(highest, n.height);
    }
    if (down) return {std::max(kNodePitch, widest + 40), std::max(kRankPitch, highest + 34)};
    return {std::max(kRankPitch, highest + 34), std::max(kNodePitch, widest + 40)};
}

/// Top of every rank. Between two ranks that stand 90 px apart there is room for 42 px of cluster
/// borders and names; where more begin or end there, the ranks move apart.
std::vector<double> rankPositions(const LayoutGraph& graph, const std::vector<int>& rank, double pitch) {
    const int ranks = rank.empty() ? 0 : *std::max_element(rank.begin(), rank.end()) + 1;
    std::vector<int> first(graph.clusters.size(), ranks), last(graph.clusters.size(), -1);
    for (std::size_t i = 0; i < rank.size(); ++i)
        for (int c = graph.nodes[i].cluster; c != -1; c = graph.clusters[at(c)].parent) {
            first[at(c)] = std::min(first[at(c)], rank[i]);
            last[at(c)] = std::max(last[at(c)], rank[i]);
        }
    std::vector<int> begins(at(ranks), 0), ends(at(ranks), 0);
    for (std::size_t i = 0; i < rank.size(); ++i) {
        int starting = 0, ending = 0;
        for (int c = graph.nodes[i].cluster; c != -1; c = graph.clusters[at(c)].parent) {
            starting += first[at(c)] == rank[i] ? 1 : 0;
            ending += last[at(c)] == rank[i] ? 1 : 0;
        }
        begins[at(rank[i])] = std::max(begins[at(rank[i])], starting);
        ends[at(rank[i])] = std::max(ends[at(rank[i])], ending);
    }
    std::vector<double> positions(at(ranks), 0);
    for (std::size_t r = 1; r < positions.size(); ++r) {
        const double borders = begins[r] * (kClusterMargin + kClusterHead) + ends[r - 1] * kClusterMargin;
        positions[r] = positions[r - 1] + pitch + std::max(0.0, borders - 42);
    }
    return positions;
}

/// Maps (position in the rank, rank) of the ranked net to pixels.
struct Frame {
    Direction direction = Direction::TopToBottom;
    std::vector<double> along;  ///< by rank
    double left = 0;            ///< smallest across coordinate

    [[nodiscard]] Point point(double across, int rank) const {
        const double a = across - left, b = along[at(rank)];
        return direction == Direction::TopToBottom ? Point{a, b} : Point{b, a};
    }
};

Rect boxAround(Point centre, const LayoutNode& node) {
    return {centre.x - node.width / 2, centre.y - node.height / 2, node.width, node.height};
}

Point exitOf(const Rect& box, Direction d) {
    return d == Direction::TopToBottom ? Point{box.x + box.width / 2, box.bottom()}
                                       : Point{box.right(), box.y + box.height / 2};
}

Point entryOf(const Rect& box, Direction d) {
    return d == Direction::TopToBottom ? Point{box.x + box.width / 2, box.y} : Point{box.x, box.y + box.height / 2};
}

EdgePath pathOf(const std::vector<int>& chain, const std::vector<Point>& centre, const LayoutResult& result,
                Direction d) {
    EdgePath path;
    if (chain.empty()) return path;
    path.points.push_back(exitOf(result.nodes[at(chain.front())], d));
    for (std::size_t k = 1; k + 1 < chain.size(); ++k)
        path.points.push_back(centre[at(chain[k])]);
    path.points.push_back(entryOf(result.nodes[at(chain.back())], d));
    return path;
}

void include(Rect& box, const Rect& part) {
    if (part.isEmpty()) return;
    if (box.isEmpty()) {
        box = part;
        return;
    }
    const double right = std::max(box.right(), part.right()), bottom = std::max(box.bottom(), part.bottom());
    box.x = std::min(box.x, part.x);
    box.y = std::min(box.y, part.y);
    box.width = right - box.x;
    box.height = bottom - box.y;
}

bool isInside(const LayoutGraph& graph, int cluster, int ancestor) {
    for (int c = cluster; c != -1; c = graph.clusters[at(c)].parent)
        if (c == ancestor) return true;
    return false;
}

/// Boxes of members and child clusters with a margin. A box that would also hold a foreign node says
/// something wrong and is left out.
std::vector<Rect> clusterBoxes(const LayoutGraph& graph, const std::vector<Rect>& nodes) {
    std::vector<Rect> boxes(graph.clusters.size());
    for (std::size_t c = boxes.size(); c-- > 0;) {
        Rect& box = boxes[c];
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (graph.nodes[i].cluster == static_cast<int>(c)) include(box, nodes[i]);
        for (std::size_t k = c + 1; k < boxes.size(); ++k)
            if (graph.clusters[k].parent == static_cast<int>(c)) include(box, boxes[k]);
        if (box.isEmpty()) continue;
        box = {box.x - kClusterMargin, box.y - kClusterMargin - kClusterHead, box.width + 2 * kClusterMargin,
               box.height + 2 * kClusterMargin + kClusterHead};
    }
    for (std::size_t c = 0; c < boxes.size(); ++c)
        for (std::size_t i = 0; i < nodes.size() && !boxes[c].isEmpty(); ++i)
            if (boxes[c].overlaps(nodes[i]) && !isInside(graph, graph.nodes[i].cluster, static_cast<int>(c)))
                boxes[c] = {};
    return boxes;
}

void moveBy(LayoutResult& result, Point d) {
    const auto shift = [d](Rect& r) { r.x += d.x, r.y += d.y; };
    for (Rect& r : result.nodes)
        shift(r);
    for (Rect& r : result.clusters)
        shift(r);
    for (EdgePath& e : result.edges)
        for (Point& p : e.points)
            p.x += d.x, p.y += d.y;
}

/// Moves the picture so that its bounding box starts at (0, 0) and sets its size.
void fitToOrigin(LayoutResult& result) {
    Rect all;
    for (const Rect& r : result.nodes)
        include(all, r);
    for (const Rect& r : result.clusters)
        include(all, r);
    for (const EdgePath& e : result.edges)
        for (const Point& p : e.points)
            include(all, {p.x, p.y, 1e-9, 1e-9});
    moveBy(result, {-all.x, -all.y});
    result.width = all.width;
    result.height = all.height;
}

}  // namespace

std::vector<int> longestPathRanks(const LayoutGraph& graph) {
    const std::vector<int> position = topologicalPositions(graph);
    return ranksOf(graph, position, downEdges(graph, position));
}

LayoutResult layeredLayout(const LayoutGraph& graph) {
    LayoutResult result;
    if (graph.nodes.empty()) return result;
    const std::vector<int> position = topologicalPositions(graph);
    const std::vector<DownEdge> edges = downEdges(graph, position);
    const std::vector<int> rank = ranksOf(graph, position, edges);
    Net net = buildNet(rank, edges);
    net.ranked.orderByBarycentre(8);
    const Pitch pitch = pitchOf(graph);
    const std::vector<double> across = net.ranked.coordinates(pitch.across, 3);
    const Frame frame{graph.direction, rankPositions(graph, rank, pitch.along),
                      *std::min_element(across.begin(), across.end())};
    std::vector<Point> centre;
    for (int i = 0; i < net.ranked.itemCount(); ++i)
        centre.push_back(frame.point(across[at(i)], net.ranked.rankOf(i)));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        result.nodes.push_back(boxAround(centre[i], graph.nodes[i]));
    for (std::size_t i = 0; i < edges.size(); ++i) {
        result.edges.push_back(pathOf(net.chains[i], centre, result, graph.direction));
        if (edges[i].turned) std::reverse(result.edges[i].points.begin(), result.edges[i].points.end());
    }
    result.clusters = clusterBoxes(graph, result.nodes);
    fitToOrigin(result);
    return result;
}

std::int64_t crossingsOf(const LayoutGraph& graph, const LayoutResult& result) {
    struct Piece {
        Point a, b;
    };
    std::vector<Piece> pieces;
    const bool down = graph.direction == Direction::TopToBottom;
    for (const EdgePath& e : result.edges)
        for (std::size_t k = 1; k < e.points.size(); ++k) {
            Piece p{e.points[k - 1], e.points[k]};
            if (!down) p = {{p.a.y, p.a.x}, {p.b.y, p.b.x}};
            if (p.a.y > p.b.y) std::swap(p.a, p.b);
            pieces.push_back(p);
        }
    std::int64_t crossings = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (std::size_t k = i + 1; k < pieces.size(); ++k) {
            const Piece &p = pieces[i], &q = pieces[k];
            const bool sameGap = p.a.y < q.b.y && q.a.y < p.b.y;
            if (sameGap && (p.a.x - q.a.x) * (p.b.x - q.b.x) < 0) ++crossings;
        }
    return crossings;
}

}  // namespace memplan::graphlayout

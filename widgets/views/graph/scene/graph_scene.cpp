// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/graph_scene.h"

#include "widgets/graphlayout/grouping.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <set>

namespace memplan::ui {
namespace {

using graphlayout::Direction;
using graphlayout::VisibleGraph;
using graphlayout::VisibleNode;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

QPointF toPoint(graphlayout::Point p) {
    return {p.x, p.y};
}

/// Whole pixels, so that borders are sharp at 100 %.
QRectF toRect(const graphlayout::Rect& r) {
    return r.isEmpty() ? QRectF() : QRectF(std::round(r.x), std::round(r.y), std::round(r.width), std::round(r.height));
}

std::vector<GroupFacts> groupFacts(const GraphModel& model, const graphlayout::GroupTree& tree,
                                   const std::vector<int>& alike) {
    std::vector<GroupFacts> facts(tree.groups().size());
    for (std::size_t g = 0; g < facts.size(); ++g) {
        const graphlayout::Group& group = tree.groups()[g];
        facts[g].name = fromStd(group.name);
        facts[g].path = fromStd(group.path).replace(QLatin1Char('/'), QStringLiteral(" / "));
        facts[g].alike = graphlayout::alikeCount(alike, static_cast<int>(g));
    }
    const auto enclosing = [&tree](int node) {
        std::vector<int> groups;
        for (int g = tree.groupOfNode(node); g >= 0; g = tree.group(g).parent)
            groups.push_back(g);
        return groups;
    };
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const GraphNode& node = model.nodes[n];
        for (const int g : enclosing(static_cast<int>(n))) {
            if (node.kind != GraphNodeKind::Op) continue;
            ++facts[at(g)].ops;
            if (node.buffer.isValid())
                facts[at(g)].byResidency[static_cast<std::size_t>(node.residency)] +=
                    model.plan->buffer(node.buffer).size;
        }
    }
    std::set<std::pair<int, int>> seenIn, seenOut;  // (group, buffer)
    for (const GraphEdge& e : model.edges) {
        const std::vector<int> from = enclosing(e.from), to = enclosing(e.to);
        const Bytes bytes = model.plan->buffer(e.buffer).size;
        for (const int g : to)
            if (std::find(from.begin(), from.end(), g) == from.end() && seenIn.emplace(g, e.buffer.index).second)
                facts[at(g)].bytesIn += bytes;
        for (const int g : from)
            if (std::find(to.begin(), to.end(), g) == to.end() && seenOut.emplace(g, e.buffer.index).second)
                facts[at(g)].bytesOut += bytes;
    }
    return facts;
}

QPainterPath pathOf(const graphlayout::EdgePath& edge) {
    QPainterPath path;
    if (edge.points.size() < 2) return path;
    path.moveTo(toPoint(edge.points[0]));
    if (edge.isSpline) {
        for (std::size_t i = 1; i + 2 < edge.points.size(); i += 3)
            path.cubicTo(toPoint(edge.points[i]), toPoint(edge.points[i + 1]), toPoint(edge.points[i + 2]));
        return path;
    }
    for (std::size_t i = 1; i < edge.points.size(); ++i)
        path.lineTo(toPoint(edge.points[i]));
    return path;
}

/// Straight pieces that follow a path closely; QPainterPath would measure all of it for each point asked.
std::vector<QPointF> flattened(const graphlayout::EdgePath& edge) {
    constexpr int kPieces = 8;
    std::vector<QPointF> points{toPoint(edge.points[0])};
    if (!edge.isSpline) {
        for (std::size_t i = 1; i < edge.points.size(); ++i)
            points.push_back(toPoint(edge.points[i]));
        return points;
    }
    for (std::size_t i = 0; i + 3 < edge.points.size(); i += 3)
        for (int k = 1; k <= kPieces; ++k) {
            const double t = static_cast<double>(k) / kPieces, u = 1 - t;
            points.push_back(u * u * u * toPoint(edge.points[i]) + 3 * u * u * t * toPoint(edge.points[i + 1]) +
                             3 * u * t * t * toPoint(edge.points[i + 2]) + t * t * t * toPoint(edge.points[i + 3]));
        }
    return points;
}

std::array<QPointF, 9> pointsAlong(const graphlayout::EdgePath& edge) {
    const std::vector<QPointF> points = flattened(edge);
    std::vector<double> lengths{0};
    for (std::size_t i = 1; i < points.size(); ++i)
        lengths.push_back(lengths.back() + QLineF(points[i - 1], points[i]).length());
    std::array<QPointF, 9> along{};
    std::size_t piece = 1;
    for (std::size_t k = 0; k < along.size(); ++k) {
        const double wanted = lengths.back() * static_cast<double>(k + 1) / 10;
        while (piece + 1 < points.size() && lengths[piece] < wanted)
            ++piece;
        const double length = lengths[piece] - lengths[piece - 1];
        const double t = length > 0 ? (wanted - lengths[piece - 1]) / length : 0;
        along[k] = points[piece - 1] + (points[piece] - points[piece - 1]) * t;
    }
    return along;
}

SceneEdge sceneEdge(const GraphModel& model, const graphlayout::VisibleEdge& edge,
                    const graphlayout::EdgePath& layout) {
    SceneEdge e;
    e.path = pathOf(layout);
    if (layout.points.size() >= 2) {
        e.tail = toPoint(layout.points.front());
        e.tip = toPoint(layout.points.back());
        e.before = toPoint(layout.points[layout.points.size() - 2]);
        e.bounds = e.path.boundingRect().adjusted(-6, -6, 6, 6);
        e.along = pointsAlong(layout);
    }
    e.width = edgeWidth(edge.bytes);
    std::set<int> buffers;
    bool isAllOffChip = true, isAnyAdded = false;
    for (const int s : edge.sources) {
        const GraphEdge& source = model.edges[at(s)];
        buffers.insert(source.buffer.index);
        isAllOffChip = isAllOffChip && source.isOffChip;
        isAnyAdded = isAnyAdded || model.nodes[at(source.to)].isAdded;
    }
    e.isOffChip = isAllOffChip;
    e.isAdded = isAnyAdded && edge.sources.size() == 1;
    e.count = static_cast<int>(buffers.size());
    return e;
}

double distanceTo(const QPainterPath& path, QPointF p) {
    // A path of one layout has few pieces; 24 samples on each are closer than a pixel's width.
    double best = 1e18;
    QPointF last = path.elementAt(0);
    const int samples = std::max(1, path.elementCount() / 3) * 24;
    for (int i = 1; i <= samples; ++i) {
        const QPointF next = path.pointAtPercent(static_cast<double>(i) / samples);
        const QPointF d = next - last;
        const double len = QPointF::dotProduct(d, d);
        const double t = len <= 0 ? 0 : std::clamp(QPointF::dotProduct(p - last, d) / len, 0.0, 1.0);
        const QPointF off = p - (last + t * d);
        best = std::min(best, QPointF::dotProduct(off, off));
        last = next;
    }
    return std::sqrt(best);
}

}  // namespace

int GraphScene::opCount() const {
    return static_cast<int>(std::count_if(visible.nodes.begin(), visible.nodes.end(), [this](const VisibleNode& n) {
        return !n.isGroup() && model->nodes[at(n.node)].kind == GraphNodeKind::Op;
    }));
}

int GraphScene::groupCount() const {
    return static_cast<int>(
        std::count_if(visible.nodes.begin(), visible.nodes.end(), [](const VisibleNode& n) { return n.isGroup(); }));
}

GroupedGraph groupedGraph(std::shared_ptr<const GraphModel> model, const std::vector<std::string>& paths) {
    GroupedGraph source;
    auto tree = std::make_shared<graphlayout::GroupTree>(graphlayout::GroupTree::fromPaths(paths));
    source.alike = graphlayout::alikeClasses(*tree, nodeSignatures(*model), model->sourceEdges);
    source.groups = groupFacts(*model, *tree, source.alike);
    source.model = std::move(model);
    source.tree = std::move(tree);
    return source;
}

graphlayout::LayoutGraph layoutRequest(const GraphModel& model, const VisibleGraph& visible, Direction direction) {
    graphlayout::LayoutGraph graph = graphlayout::layoutGraphOf(visible, direction, {160, 40, 160, 64});
    for (std::size_t i = 0; i < visible.nodes.size(); ++i) {
        const VisibleNode& n = visible.nodes[i];
        if (n.isGroup() || model.nodes[at(n.node)].kind != GraphNodeKind::Output) continue;
        // An output is the end of an arrow with its name beside it; the box only keeps that room free.
        graph.nodes[i].width = direction == Direction::TopToBottom ? 160 : 80;
        graph.nodes[i].height = direction == Direction::TopToBottom ? 2 : 24;
    }
    return graph;
}

GraphScene buildScene(const GroupedGraph& source, VisibleGraph visible, const graphlayout::LayoutResult& layout,
                      Direction direction) {
    GraphScene scene;
    scene.model = source.model;
    scene.tree = source.tree;
    scene.groups = source.groups;
    scene.direction = direction;
    scene.visible = std::move(visible);
    for (const graphlayout::Rect& r : layout.nodes)
        scene.nodes.push_back(toRect(r));
    for (std::size_t i = 0; i < scene.visible.edges.size(); ++i)
        scene.edges.push_back(sceneEdge(*scene.model, scene.visible.edges[i], layout.edges[i]));
    for (std::size_t i = 0; i < scene.visible.frames.size(); ++i)
        scene.frames.push_back({toRect(layout.clusters[i]), scene.visible.frames[i].group});
    for (const QRectF& r : scene.nodes)
        scene.bounds |= r;
    for (const SceneFrame& f : scene.frames)
        scene.bounds |= f.rect;
    for (const SceneEdge& e : scene.edges)
        scene.bounds |= e.bounds;
    return scene;
}

double edgeWidth(Bytes bytes) {
    return bytes < 65536 ? 1 : bytes < 1048576 ? 2 : 3;
}

NodeDetail nodeDetail(double heightOnScreen) {
    if (heightOnScreen < 6) return NodeDetail::Fill;
    if (heightOnScreen < 14) return NodeDetail::Box;
    return heightOnScreen < 22 ? NodeDetail::OneLine : NodeDetail::Full;
}

bool edgesAreStraight(double scale) {
    return scale < 0.3;
}

int nodeAt(const GraphScene& scene, QPointF point) {
    for (int i = static_cast<int>(scene.nodes.size()); i-- > 0;)
        if (scene.rectOf(i).adjusted(-1, -1, 1, 1).contains(point)) return i;
    return -1;
}

int edgeAt(const GraphScene& scene, QPointF point, double tolerance) {
    int best = -1;
    double closest = tolerance;
    for (std::size_t i = 0; i < scene.edges.size(); ++i) {
        const SceneEdge& e = scene.edges[i];
        if (e.path.isEmpty() || !e.bounds.adjusted(-tolerance, -tolerance, tolerance, tolerance).contains(point))
            continue;
        const double d = distanceTo(e.path, point) - e.width / 2;
        if (d >= closest) continue;
        closest = d;
        best = static_cast<int>(i);
    }
    return best;
}

int frameHeadAt(const GraphScene& scene, QPointF point) {
    for (int i = static_cast<int>(scene.frames.size()); i-- > 0;) {
        const QRectF r = scene.frames[at(i)].rect;
        if (!r.isEmpty() && QRectF(r.x(), r.y(), r.width(), kFrameHead).contains(point)) return i;
    }
    return -1;
}

QRectF stubRect(const GraphScene& scene, int node, bool isBefore) {
    const QRectF r = scene.rectOf(node);
    constexpr double w = 30, h = 16, gap = 4;
    // At the right: a frame's name stands at the left of the gap.
    if (scene.direction == Direction::TopToBottom)
        return isBefore ? QRectF(r.right() - w - 8, r.top() - h - gap, w, h)
                        : QRectF(r.right() - w - 8, r.bottom() + gap, w, h);
    return isBefore ? QRectF(r.left() - w - gap, r.top(), w, h) : QRectF(r.right() + gap, r.top(), w, h);
}

StubHit stubAt(const GraphScene& scene, QPointF point) {
    for (std::size_t i = 0; i < scene.stubs.size(); ++i) {
        const int node = static_cast<int>(i);
        if (scene.stubs[i].before > 0 && stubRect(scene, node, true).contains(point)) return {node, true};
        if (scene.stubs[i].after > 0 && stubRect(scene, node, false).contains(point)) return {node, false};
    }
    return {};
}

QRectF mapRect(const QRectF& view, const std::vector<QRectF>& content) {
    const double w = std::clamp(view.width() * 0.26, 104.0, 200.0), h = w * 0.75;
    const double l = view.left() + 8, r = view.right() - 8 - w, t = view.top() + 8, b = view.bottom() - 8 - h;
    QRectF best;
    double least = 1e18;
    for (const QPointF corner : {QPointF(l, t), QPointF(r, t), QPointF(l, b), QPointF(r, b)}) {
        const QRectF rect(corner, QSizeF(w, h));
        double covered = 0;
        for (const QRectF& c : content) {
            const QRectF both = c & rect;
            covered += both.width() * both.height();
        }
        if (covered >= least) continue;
        least = covered;
        best = rect;
    }
    // In a narrow view there is no corner to spare: the map would hide what it is to show.
    constexpr double kNarrow = 340;
    return view.width() < kNarrow && least > 0 ? QRectF() : best;
}

QRectF MapFrame::toMap(const QRectF& scene) const {
    return {offset.x() + scene.x() * scale, offset.y() + scene.y() * scale, scene.width() * scale,
            scene.height() * scale};
}

QPointF MapFrame::toScene(QPointF inMap) const {
    return (inMap - offset) / scale;
}

MapFrame mapFrame(const QRectF& map, const QRectF& bounds) {
    MapFrame frame;
    if (bounds.isEmpty()) return frame;
    const QRectF inner = map.adjusted(4, 4, -4, -4);
    frame.scale = std::min(inner.width() / bounds.width(), inner.height() / bounds.height());
    frame.offset = inner.center() - bounds.center() * frame.scale;
    return frame;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Order of painting (design-system 11.1): frames, edges, boxes, labels, selection, map. Boxes are in
// graph_node_painter.cpp.
#include "widgets/views/graph/graph_painter.h"

#include "engine/plan/given_name.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/units.h"
#include "widgets/views/graph/graph_node_painter.h"
#include "widgets/views/graph/scene/edge_labels.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace memplan::ui {
namespace {

using graphlayout::VisibleEdge;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kArrowLength = 9;
constexpr double kLabelZoom = 1.2;                      // edge labels from 120 % (5.1)
constexpr double kCountZoom = 0.7;                      // no label is smaller than can be read
constexpr double kNameShare = 0.8, kLargestName = 1.4;  // names of frames below 80 %
constexpr double kLabelHeight = 15, kLongestName = 120;
constexpr std::size_t kMostLabels = 400;  // A.3

class GraphPainter {
public:
    GraphPainter(QPainter& painter, const GraphViewState& state, const Theme& theme, TextCache& texts)
        : p_(painter), s_(state), scene_(*state.scene), theme_(theme), texts_(texts),
          view_(sceneTransform(state.viewport)) {}

    GraphPaintStats paint(QSizeF size) {
        shown_ = view_.toScene(QRectF(QPointF(), size));
        visible_ = shown_.adjusted(-20, -20, 20, 20);
        map_ = s_.showMap ? mapPlace(s_, size) : QRectF();
        p_.save();
        p_.setClipRect(QRectF(QPointF(), size));
        p_.save();
        p_.scale(view_.scale, view_.scale);
        p_.translate(-view_.origin);
        paintFrames();
        paintEdges();
        paintFrameNames();
        paintNodes();
        paintEdgeLabels();
        p_.restore();
        paintMap(size);
        p_.restore();
        return stats_;
    }

private:
    [[nodiscard]] double hairline() const { return 1 / std::min(1.0, view_.scale); }

    void paintFrames() {
        for (const SceneFrame& f : scene_.frames) {
            if (f.rect.isEmpty() || !f.rect.intersects(visible_)) continue;
            const GroupFacts& facts = scene_.groups[at(f.group)];
            const ItemMark mark(p_, QStringLiteral("group-") + facts.path, facts.path);
            const bool isFocused = f.group == s_.focusedGroup;
            p_.setRenderHint(QPainter::Antialiasing, true);
            p_.setBrush(Qt::NoBrush);
            p_.setPen(QPen(theme_.color(isFocused ? Token::SelectOutline : Token::Line1), isFocused ? 2 : hairline()));
            p_.drawRoundedRect(f.rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        }
    }

    /// With the names of the frames around it where there is room; those stand there already.
    QString frameName(const GroupFacts& facts, double room) {
        const bool hasRoom = texts_.width(facts.path, TextStyle::Small, theme_) <= room;
        return texts_.elided(hasRoom ? facts.path : facts.name, TextStyle::Small, theme_, room);
    }

    /// After the edges, on plates, so that no edge crosses a name.
    void paintFrameNames() {
        if (nodeDetail(40 * view_.scale) < NodeDetail::OneLine) return;
        // Larger than its box where words would get too small, as far as the head of the frame has room.
        const double larger = std::clamp(kNameShare / view_.scale, 1.0, kLargestName);
        for (const SceneFrame& f : scene_.frames) {
            if (f.rect.isEmpty() || !f.rect.intersects(visible_)) continue;
            const QString name = frameName(scene_.groups[at(f.group)], f.rect.width() / larger - 34);
            const QRectF plate(0, 0, texts_.width(name, TextStyle::Small, theme_) + 20, 16);
            const QPointF corner = f.rect.topLeft() + QPointF(5, 5);
            frameNames_.emplace_back(corner, plate.size() * larger);
            p_.save();
            p_.translate(corner);
            p_.scale(larger, larger);
            drawPlate(p_, plate, theme_);
            drawIcon(p_, QRectF(1, 1, 14, 14), QStringLiteral("chevron-down"), theme_.color(Token::Text3));
            p_.setPen(theme_.color(Token::Text2));
            texts_.draw(p_, {17, 12}, name, TextStyle::Small, theme_);
            p_.restore();
            ++stats_.texts;
        }
    }

    [[nodiscard]] bool isSelectedEdge(const VisibleEdge& edge) const {
        if (edge.sources.size() != 1) return false;
        const ItemId id = ItemId::of(scene_.model->edges[at(edge.sources[0])].buffer);
        return std::binary_search(s_.selection.items.begin(), s_.selection.items.end(), id);
    }

    /// An edge belongs to a trace when both of its ends do.
    [[nodiscard]] bool isTraced(const VisibleEdge& edge) const {
        if (s_.trace.isEmpty()) return false;
        return std::any_of(edge.sources.begin(), edge.sources.end(), [this](int i) {
            const GraphEdge& e = scene_.model->edges[at(i)];
            const auto in = [this](int n) {
                return s_.trace.on[at(n)] || s_.trace.before[at(n)] || s_.trace.after[at(n)];
            };
            return in(e.from) && in(e.to);
        });
    }

    void paintEdges() {
        const bool isCoarse = edgesAreStraight(view_.scale);
        p_.setRenderHint(QPainter::Antialiasing, !isCoarse);
        p_.setBrush(Qt::NoBrush);
        if (isCoarse)
            paintCoarseEdges();
        else
            for (std::size_t i = 0; i < scene_.edges.size(); ++i)
                paintEdge(static_cast<int>(i));
        p_.setOpacity(1);
    }

    /// One call for all of them: straight, one pixel, no heads (5.9).
    void paintCoarseEdges() {
        QVector<QLineF> plain, strong;
        for (std::size_t i = 0; i < scene_.edges.size(); ++i) {
            const SceneEdge& e = scene_.edges[i];
            if (e.path.isEmpty() || !e.bounds.intersects(visible_)) continue;
            const VisibleEdge& v = scene_.visible.edges[i];
            (isSelectedEdge(v) || isTraced(v) ? strong : plain).append(QLineF(e.tail, e.tip));
            ++stats_.edges;
        }
        QPen pen(theme_.color(s_.trace.isEmpty() ? Token::LineControl : Token::Line1), 1);
        pen.setCosmetic(true);
        p_.setPen(pen);
        p_.drawLines(plain);
        pen.setColor(theme_.color(Token::SelectOutline));
        p_.setPen(pen);
        p_.drawLines(strong);
    }

    void paintEdge(int index) {
        const SceneEdge& e = scene_.edges[at(index)];
        if (e.path.isEmpty() || !e.bounds.intersects(visible_)) return;
        const VisibleEdge& v = scene_.visible.edges[at(index)];
        const bool isStrong = isSelectedEdge(v) || isTraced(v) || index == s_.hoverEdge;
        const ItemMark mark(p_, edgeId(v), edgeLabel(e, v));
        p_.setOpacity(!s_.trace.isEmpty() && !isTraced(v) ? 0.3 : 1);
        QPen pen(theme_.color(isSelectedEdge(v) || isTraced(v) ? Token::SelectOutline
                              : isStrong                       ? Token::Text1
                                                               : Token::LineControl),
                 std::max(e.width, hairline()));
        pen.setCapStyle(Qt::FlatCap);
        QPen head = pen;
        if (e.isOffChip) pen.setDashPattern({5 / e.width, 3 / e.width});
        if (e.isAdded && !e.isOffChip) pen.setDashPattern({1.5 / e.width, 2.5 / e.width});
        p_.setPen(pen);
        if (s_.areEdgesStraight)
            p_.drawLine(e.tail, e.tip);
        else
            p_.drawPath(e.path);
        head.setWidthF(std::min(2.0, pen.widthF()));
        head.setCapStyle(Qt::RoundCap);
        head.setJoinStyle(Qt::RoundJoin);
        p_.setPen(head);
        paintHead(e.tip, s_.areEdgesStraight ? e.tail : e.before);
        ++stats_.edges;
    }

    void paintHead(QPointF tip, QPointF before) {
        const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
        constexpr double kHalf = 0.52;  // half opening, rad
        const auto wing = [&](double turn) {
            return tip - kArrowLength * QPointF(std::cos(angle + turn), std::sin(angle + turn)) * 0.9;
        };
        const QPointF points[3] = {wing(kHalf), tip, wing(-kHalf)};
        p_.drawPolyline(points, 3);
    }

    [[nodiscard]] QString edgeId(const VisibleEdge& v) const {
        const GraphEdge& e = scene_.model->edges[at(v.sources.front())];
        return QStringLiteral("edge-%1-%2-%3").arg(fromStd(s_.plan->buffer(e.buffer).name)).arg(v.from).arg(v.to);
    }

    [[nodiscard]] QString edgeLabel(const SceneEdge& e, const VisibleEdge& v) const {
        const BufferId b = scene_.model->edges[at(v.sources.front())].buffer;
        if (e.count > 1) return QStringLiteral("%1 buffers · %2").arg(e.count).arg(humanBytes(v.bytes));
        return fromStd(shownName(*s_.plan, b)) + QStringLiteral(" · ") + humanBytes(s_.plan->buffer(b).size);
    }

    [[nodiscard]] bool isOutputEdge(const VisibleEdge& v) const {
        const graphlayout::VisibleNode& n = scene_.node(v.to);
        return !n.isGroup() && scene_.model->nodes[at(n.node)].kind == GraphNodeKind::Output;
    }

    /// Selected, hovered and output edges always carry their name, the others from 120 % zoom.
    [[nodiscard]] bool wantsLabel(int index, const VisibleEdge& v) const {
        if (index == s_.hoverEdge || isSelectedEdge(v) || isOutputEdge(v)) return true;
        if (view_.scale >= kLabelZoom) return true;
        const graphlayout::VisibleNode& to = scene_.node(v.to);
        return !to.isGroup() && s_.selection.primary && isItem(scene_.model->nodes[at(to.node)], *s_.selection.primary);
    }

    /// Name and size of one buffer, number and size of several, number alone while the rest would be noise.
    [[nodiscard]] QString labelText(const SceneEdge& e, const VisibleEdge& v, bool isWanted) const {
        if (e.count > 1)
            return QStringLiteral("%1 buffers").arg(e.count) +
                   (isWanted ? QStringLiteral(" · ") + humanBytes(v.bytes) : QString());
        const BufferId b = scene_.model->edges[at(v.sources.front())].buffer;
        return texts_.elided(fromStd(shownName(*s_.plan, b)), TextStyle::Small, theme_, kLongestName) +
               QStringLiteral(" · ") + humanBytes(s_.plan->buffer(b).size);
    }

    /// What is selected first, then outputs, then the rest; an edge that is hovered only must not push
    /// the others about. A buffer with many readers is named once, at the first edge.
    [[nodiscard]] std::vector<EdgeLabel> wantedLabels() {
        std::array<std::vector<EdgeLabel>, 4> byRank;
        std::set<std::pair<int, int>> named;  // (box, buffer)
        for (std::size_t i = 0; i < scene_.edges.size(); ++i) {
            const SceneEdge& e = scene_.edges[i];
            const VisibleEdge& v = scene_.visible.edges[i];
            const int index = static_cast<int>(i);
            if (e.path.isEmpty() || !e.bounds.intersects(visible_)) continue;
            const bool isWanted = wantsLabel(index, v);
            if (!isWanted && e.count < 2) continue;
            const std::size_t rank = isSelectedEdge(v)                                   ? 0
                                     : isOutputEdge(v)                                   ? 1
                                     : index == s_.hoverEdge && view_.scale < kLabelZoom ? 3
                                                                                         : 2;
            const int buffer = scene_.model->edges[at(v.sources.front())].buffer.index;
            if (e.count == 1 && index != s_.hoverEdge && !named.emplace(v.from, buffer).second) continue;
            const QString text = labelText(e, v, isWanted);
            const QSizeF size(texts_.width(text, TextStyle::Small, theme_) + 6, kLabelHeight);
            byRank[rank].push_back({index, text, size, rank != 2 || index == s_.hoverEdge});
        }
        std::vector<EdgeLabel> labels;
        for (const auto& some : byRank)
            labels.insert(labels.end(), some.begin(), some.end());
        if (labels.size() > kMostLabels) labels.resize(kMostLabels);
        return labels;
    }

    void paintEdgeLabels() {
        if (s_.areEdgesStraight || view_.scale < kCountZoom) return;
        p_.setRenderHint(QPainter::Antialiasing, true);
        const std::vector<EdgeLabel> labels = wantedLabels();
        if (labels.empty()) return;
        LabelObstacles obstacles = labelObstacles(scene_, visible_, frameNames_);
        if (!map_.isEmpty()) obstacles.boxes.push_back(view_.toScene(map_));
        for (const PlacedLabel& label : placeLabels(scene_, labels, shown_, std::move(obstacles))) {
            drawPlate(p_, label.plate, theme_);
            p_.setPen(theme_.color(Token::Text3));
            texts_.draw(p_, label.plate.topLeft() + QPointF(3, 11), label.text, TextStyle::Small, theme_);
            ++stats_.texts;
            ++stats_.edgeLabels;
        }
    }

    void paintNodes() {
        NodePainter nodes(p_, s_, theme_, texts_, view_.scale);
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            if (!scene_.nodes[i].adjusted(-6, -24, 6, 24).intersects(visible_)) continue;
            nodes.paint(static_cast<int>(i));
            ++stats_.nodes;
        }
        stats_.texts += nodes.textCount();
    }

    void paintMap(QSizeF size) {
        const QRectF& map = map_;
        if (map.isEmpty()) return;
        const MapFrame frame = mapFrame(map, scene_.bounds);
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(QPen(theme_.color(Token::Line1), 1));
        p_.setBrush(theme_.color(Token::BgPanel));
        p_.drawRoundedRect(map.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        p_.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            QRectF r = frame.toMap(scene_.nodes[i]);
            r.setSize({std::max(2.0, r.width()), std::max(1.5, r.height())});
            p_.fillRect(r, nodeColor(theme_, s_, static_cast<int>(i)));
        }
        const QRectF shown = frame.toMap(view_.toScene(QRectF(QPointF(), size))) & map.adjusted(4, 4, -4, -4);
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(theme_.color(Token::SelectOutline), 1));
        if (!shown.isEmpty())
            p_.drawRect(
                QRectF(shown.topLeft().toPoint(), shown.bottomRight().toPoint()).adjusted(0.5, 0.5, -0.5, -0.5));
    }

    QPainter& p_;
    const GraphViewState& s_;
    const GraphScene& scene_;
    const Theme& theme_;
    TextCache& texts_;
    SceneFrameTransform view_;
    QRectF shown_;    ///< what the view shows, scene px
    QRectF visible_;  ///< and what may reach into it
    QRectF map_;      ///< on screen
    std::vector<QRectF> frameNames_;
    GraphPaintStats stats_;
};

}  // namespace

SceneFrameTransform sceneTransform(const Viewport& viewport) {
    SceneFrameTransform t;
    t.scale = viewport.x.scale;
    t.origin = {viewport.x.origin, viewport.y.origin};
    // Whole pixels at the origin keep box borders sharp.
    t.origin = QPointF(std::round(t.origin.x() * t.scale), std::round(t.origin.y() * t.scale)) / t.scale;
    return t;
}

QRectF mapPlace(const GraphViewState& state, QSizeF size) {
    const SceneFrameTransform view = sceneTransform(state.viewport);
    std::vector<QRectF> content;
    for (const QRectF& r : state.scene->nodes)
        content.push_back(view.toScreen(r));
    // Of a frame its name counts: under the map it would be cut.
    for (const SceneFrame& frame : state.scene->frames)
        if (const QRectF& r = frame.rect; !r.isEmpty())
            content.push_back(view.toScreen(QRectF(r.x(), r.y(), r.width(), kFrameHead)));
    return mapRect(QRectF(QPointF(), size), content);
}

GraphPaintStats paintGraph(QPainter& painter, const GraphViewState& state, QSizeF size, const Theme& theme,
                           TextCache& texts) {
    if (!state.scene || !state.plan || state.scene->nodes.empty()) return {};
    return GraphPainter(painter, state, theme, texts).paint(size);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/edge_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace memplan::ui {
namespace {

constexpr double kClear = 2;   // px between a label and what it keeps clear of
constexpr double kBeside = 7;  // px between an edge and a label beside it
constexpr int kMostCrossed = 1;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// From the middle of the edge outwards; its ends belong to the boxes and to the head.
constexpr std::array<std::size_t, 7> kOutwards{4, 3, 5, 2, 6, 1, 7};

using Plates = std::array<QRectF, kOutwards.size() * 5>;

Plates candidatesOf(const SceneEdge& edge, QSizeF size, bool isDown) {
    Plates plates;
    std::size_t n = 0;
    for (const std::size_t step : kOutwards) {
        const QPointF p = edge.along[step];
        const double w = size.width(), h = size.height();
        const QPointF after = isDown ? QPointF(kBeside, -h / 2) : QPointF(-w / 2, -kBeside - h);
        const QPointF before = isDown ? QPointF(-kBeside - w, -h / 2) : QPointF(-w / 2, kBeside);
        // On the edge: in the middle of the label, or nearer to one of its ends.
        for (const QPointF& offset :
             {after, before, QPointF(-w / 2, -h / 2), QPointF(-w / 4, -h / 2), QPointF(-w * 3 / 4, -h / 2)})
            plates[n++] = QRectF(p + offset, size);
    }
    return plates;
}

double sharedArea(const QRectF& a, const QRectF& b) {
    const QRectF both = a & b;
    return both.isEmpty() ? 0 : both.width() * both.height();
}

/// Liang and Barsky's test of a straight piece against a rectangle.
bool meets(const QRectF& r, QPointF a, QPointF b) {
    const QPointF d = b - a;
    double from = 0, to = 1;
    const auto cut = [&](double p, double q) {
        if (p == 0) return q >= 0;
        const double t = q / p;
        if (p < 0)
            from = std::max(from, t);
        else
            to = std::min(to, t);
        return from <= to;
    };
    return cut(-d.x(), a.x() - r.left()) && cut(d.x(), r.right() - a.x()) && cut(-d.y(), a.y() - r.top()) &&
           cut(d.y(), r.bottom() - a.y());
}

bool crosses(const SceneEdge& edge, const QRectF& plate) {
    if (!edge.bounds.intersects(plate)) return false;
    QPointF last = edge.tail;
    for (const QPointF p : edge.along) {
        if (meets(plate, last, p)) return true;
        last = p;
    }
    return meets(plate, last, edge.tip);
}

class Placer {
public:
    Placer(const GraphScene& scene, const QRectF& view, LabelObstacles obstacles)
        : scene_(scene), view_(view), obstacles_(std::move(obstacles)) {
        for (std::size_t i = 0; i < scene.edges.size(); ++i)
            if (!scene.edges[i].path.isEmpty() && scene.edges[i].bounds.intersects(view))
                edges_.push_back(static_cast<int>(i));
    }

    std::optional<QRectF> place(const EdgeLabel& label) {
        const bool isDown = scene_.direction == graphlayout::Direction::TopToBottom;
        const Plates candidates = candidatesOf(scene_.edges[at(label.edge)], label.size, isDown);
        std::optional<QRectF> best;
        int fewest = 0;
        for (const QRectF& plate : candidates) {
            if (!isFree(plate)) continue;
            const int crossed = crossedBy(plate, label.edge);
            if (crossed > kMostCrossed && !label.isKept) continue;  // whose name it is would not be seen
            if (best && crossed >= fewest) continue;
            best = plate;
            fewest = crossed;
            if (fewest == 0) break;
        }
        if (!best && label.isKept) best = leastCovering(candidates);
        if (best) obstacles_.boxes.push_back(*best);
        return best;
    }

private:
    [[nodiscard]] bool isFree(const QRectF& plate) const {
        if (!view_.contains(plate)) return false;
        const QRectF wide = plate.adjusted(-kClear, -kClear, kClear, kClear);
        const auto touches = [&wide](const QRectF& r) { return r.intersects(wide); };
        return std::none_of(obstacles_.boxes.begin(), obstacles_.boxes.end(), touches) &&
               std::none_of(obstacles_.lines.begin(), obstacles_.lines.end(), touches);
    }

    [[nodiscard]] int crossedBy(const QRectF& plate, int own) const {
        return static_cast<int>(std::count_if(edges_.begin(), edges_.end(),
                                              [&](int e) { return e != own && crosses(scene_.edges[at(e)], plate); }));
    }

    /// A plate may lie on a line rather than on a box or outside of the view.
    [[nodiscard]] QRectF leastCovering(const Plates& candidates) const {
        const auto covered = [this](const QRectF& plate) {
            double area = plate.width() * plate.height() - sharedArea(plate, view_);
            for (const QRectF& r : obstacles_.boxes)
                area += sharedArea(plate, r);
            return area;
        };
        return *std::min_element(candidates.begin(), candidates.end(),
                                 [&](const QRectF& a, const QRectF& b) { return covered(a) < covered(b); });
    }

    const GraphScene& scene_;
    QRectF view_;
    LabelObstacles obstacles_;
    std::vector<int> edges_;
};

}  // namespace

LabelObstacles labelObstacles(const GraphScene& scene, const QRectF& visible, const std::vector<QRectF>& frameNames) {
    LabelObstacles o;
    o.boxes = frameNames;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const QRectF& r = scene.nodes[i];
        const graphlayout::VisibleNode& n = scene.visible.nodes[i];
        // The box of an output is not drawn: it keeps room for the label of its edge.
        const bool isDrawn = n.isGroup() || scene.model->nodes[at(n.node)].kind != GraphNodeKind::Output;
        if (isDrawn && r.intersects(visible)) o.boxes.push_back(r);
    }
    for (std::size_t i = 0; i < scene.stubs.size(); ++i) {
        if (scene.stubs[i].before > 0) o.boxes.push_back(stubRect(scene, static_cast<int>(i), true));
        if (scene.stubs[i].after > 0) o.boxes.push_back(stubRect(scene, static_cast<int>(i), false));
    }
    for (const SceneFrame& f : scene.frames) {
        const QRectF& r = f.rect;
        if (r.isEmpty() || !r.intersects(visible)) continue;
        o.lines.emplace_back(r.left(), r.top(), r.width(), 1);
        o.lines.emplace_back(r.left(), r.bottom() - 1, r.width(), 1);
        o.lines.emplace_back(r.left(), r.top(), 1, r.height());
        o.lines.emplace_back(r.right() - 1, r.top(), 1, r.height());
    }
    return o;
}

std::vector<PlacedLabel> placeLabels(const GraphScene& scene, const std::vector<EdgeLabel>& labels, const QRectF& view,
                                     LabelObstacles obstacles) {
    Placer placer(scene, view, std::move(obstacles));
    std::vector<PlacedLabel> placed;
    for (const EdgeLabel& label : labels)
        if (const auto plate = placer.place(label)) placed.push_back({label.text, *plate});
    return placed;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/graph_motion.h"

#include <map>
#include <string>

namespace memplan::ui {
namespace {

/// A box stays the same over layouts when it is the same op or the same group path. Ops of another
/// plan are others: the boxes then jump.
std::map<std::string, QRectF> placesOf(const GraphScene& scene) {
    std::map<std::string, QRectF> places;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const graphlayout::VisibleNode& n = scene.visible.nodes[i];
        places.emplace(n.isGroup() ? "g" + scene.tree->group(n.group).path : "n" + std::to_string(n.node),
                       scene.nodes[i]);
    }
    return places;
}

std::string keyOf(const GraphScene& scene, std::size_t i) {
    const graphlayout::VisibleNode& n = scene.visible.nodes[i];
    return n.isGroup() ? "g" + scene.tree->group(n.group).path : "n" + std::to_string(n.node);
}

void straighten(SceneEdge& edge, QPointF tail, QPointF tip) {
    edge.tail = tail;
    edge.tip = tip;
    edge.before = tail;
    for (std::size_t i = 0; i < edge.along.size(); ++i)
        edge.along[i] = tail + (tip - tail) * (static_cast<double>(i + 1) / 10);
    edge.bounds = QRectF(tail, tip).normalized().adjusted(-6, -6, 6, 6);
}

}  // namespace

int movedCount(const GraphScene& from, const GraphScene& to) {
    if (from.model != to.model) return 0;
    const std::map<std::string, QRectF> places = placesOf(from);
    int moved = 0;
    for (std::size_t i = 0; i < to.nodes.size(); ++i) {
        const auto it = places.find(keyOf(to, i));
        if (it != places.end() && it->second.topLeft() != to.nodes[i].topLeft()) ++moved;
    }
    return moved;
}

GraphScene sceneBetween(const GraphScene& from, const GraphScene& to, double t) {
    GraphScene scene = to;
    const std::map<std::string, QRectF> places = placesOf(from);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const auto it = places.find(keyOf(to, i));
        if (it == places.end()) continue;
        const QPointF start = it->second.topLeft();
        scene.nodes[i].moveTopLeft(start + (to.nodes[i].topLeft() - start) * t);
    }
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        const QRectF a = scene.rectOf(scene.visible.edges[e].from), b = scene.rectOf(scene.visible.edges[e].to);
        const bool isDown = scene.direction == graphlayout::Direction::TopToBottom;
        if (scene.edges[e].path.isEmpty()) continue;
        straighten(scene.edges[e], isDown ? QPointF(a.center().x(), a.bottom()) : QPointF(a.right(), a.center().y()),
                   isDown ? QPointF(b.center().x(), b.top()) : QPointF(b.left(), b.center().y()));
    }
    return scene;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a picture of the graph depends on, but theme and size (architecture 8.2).
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/graph/scene/graph_overlay.h"
#include "widgets/views/graph/scene/graph_scene.h"

#include <memory>
#include <vector>

namespace memplan::ui {

/// Marks of a trace or of critical paths (5.7); one flag per model node, empty = no trace.
struct GraphTrace {
    graphlayout::NodeSet before;  ///< ancestors: solid
    graphlayout::NodeSet after;   ///< descendants: dashed
    graphlayout::NodeSet on;      ///< start node, paths between two nodes, critical paths: solid
    [[nodiscard]] bool isEmpty() const { return on.empty(); }
};

struct GraphViewState : ViewState {
    GraphScenePtr scene;
    std::shared_ptr<const OverlayData> overlay;
    OverlayRange range;
    GraphTrace trace;
    std::vector<char> matches;         ///< per model node, empty = no search; the others are dimmed
    std::vector<char> hinted;          ///< per model node: 1 = a hint names it, 2 = one pins it (5.11)
    std::vector<char> noted;           ///< per scene node: it, or something inside it, has a note (2.16); may be empty
    std::vector<char> selectedGroups;  ///< per scene node: closed group that holds something selected or related
    int hoverNode = -1;                ///< index into the scene
    int hoverEdge = -1;
    int focusedGroup = -1;  ///< group that keys act on
    bool showMap = true;
    bool areEdgesStraight = false;  ///< while boxes move
};

/// Offset and scale of the scene on a picture.
struct SceneFrameTransform {
    double scale = 1;
    QPointF origin;  ///< scene point at (0, 0)
    [[nodiscard]] QPointF toScreen(QPointF scene) const { return (scene - origin) * scale; }
    [[nodiscard]] QPointF toScene(QPointF screen) const { return screen / scale + origin; }
    [[nodiscard]] QRectF toScreen(const QRectF& r) const { return {toScreen(r.topLeft()), r.size() * scale}; }
    [[nodiscard]] QRectF toScene(const QRectF& r) const { return {toScene(r.topLeft()), r.size() / scale}; }
};
[[nodiscard]] SceneFrameTransform sceneTransform(const Viewport& viewport);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the graph of a plan into any painter: screen, PNG, SVG, PDF (user-experience 5,
// design-system 11.4). A picture is a function of GraphViewState, theme and size.
#pragma once

#include "widgets/canvas/view_state.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/graph/graph_overlay.h"
#include "widgets/views/graph/graph_scene.h"

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

/// Rectangle of the bird's-eye map in a picture of this size.
[[nodiscard]] QRectF mapPlace(const GraphViewState& state, QSizeF size);

/// What a picture contained, for tests of the level of detail (20.2).
struct GraphPaintStats {
    int nodes = 0;
    int edges = 0;
    int texts = 0;
    int edgeLabels = 0;  ///< part of texts
};

GraphPaintStats paintGraph(QPainter& painter, const GraphViewState& state, QSizeF size, const Theme& theme,
                           TextCache& texts);

}  // namespace memplan::ui

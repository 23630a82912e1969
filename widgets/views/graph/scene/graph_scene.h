// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the graph view: boxes, edge paths and frames of one layout, hit tests, level of detail,
// place of the bird's-eye map. Pure values in scene pixels; no window (architecture 8.1).
#pragma once

#include "widgets/graphlayout/layout_graph.h"
#include "widgets/graphlayout/visible_graph.h"
#include "widgets/views/graph/scene/graph_model.h"

#include <QPainterPath>
#include <QRectF>

#include <array>
#include <memory>
#include <optional>

namespace memplan::ui {

/// What a closed group shows (5.2).
struct GroupFacts {
    QString name;
    QString path;  ///< "attn / softmax"
    int ops = 0;
    int alike = 1;                       ///< groups like it, itself included
    Bytes bytesIn = 0, bytesOut = 0;     ///< over its border, each buffer once
    std::array<Bytes, 6> byResidency{};  ///< bytes written inside, by Residency
};

struct SceneEdge {
    QPainterPath path;
    QRectF bounds;
    QPointF tip, tail;
    QPointF before;                  ///< a point before the tip on the path, gives the arrow's direction
    std::array<QPointF, 9> along{};  ///< at 10, 20, ... 90 % of its length: places for its label
    double width = 1;                ///< 1, 2 or 3 px by bytes (5.1)
    bool isOffChip = false;
    bool isAdded = false;  ///< leads to an op that a pass added
    int count = 1;         ///< merged buffers
};

struct SceneFrame {
    QRectF rect;  ///< empty: nothing to draw
    int group = -1;
};

struct GraphScene {
    std::shared_ptr<const GraphModel> model;
    std::shared_ptr<const graphlayout::GroupTree> tree;
    std::vector<GroupFacts> groups;  ///< by group of the tree
    graphlayout::VisibleGraph visible;
    std::vector<QRectF> nodes;                         ///< parallel to visible.nodes
    std::vector<SceneEdge> edges;                      ///< parallel to visible.edges
    std::vector<SceneFrame> frames;                    ///< parallel to visible.frames
    std::vector<graphlayout::HiddenNeighbours> stubs;  ///< parallel to visible.nodes; empty outside neighbour mode
    QRectF bounds;
    graphlayout::Direction direction = graphlayout::Direction::TopToBottom;

    [[nodiscard]] const graphlayout::VisibleNode& node(int i) const {
        return visible.nodes[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] QRectF rectOf(int i) const { return nodes[static_cast<std::size_t>(i)]; }
    [[nodiscard]] int opCount() const;     ///< operations shown as boxes of their own
    [[nodiscard]] int groupCount() const;  ///< closed groups
};
using GraphScenePtr = std::shared_ptr<const GraphScene>;

/// What stays the same while groups open and close.
struct GroupedGraph {
    std::shared_ptr<const GraphModel> model;
    std::shared_ptr<const graphlayout::GroupTree> tree;
    std::vector<GroupFacts> groups;
    std::vector<int> alike;  ///< class by group, -1 = none
};
[[nodiscard]] GroupedGraph groupedGraph(std::shared_ptr<const GraphModel> model, const std::vector<std::string>& paths);

/// The layout request of a visible graph: boxes 160 x 40, groups 160 x 64, outputs flat.
[[nodiscard]] graphlayout::LayoutGraph layoutRequest(const GraphModel& model, const graphlayout::VisibleGraph& visible,
                                                     graphlayout::Direction direction);
[[nodiscard]] GraphScene buildScene(const GroupedGraph& source, graphlayout::VisibleGraph visible,
                                    const graphlayout::LayoutResult& layout, graphlayout::Direction direction);

/// Width of an edge by the bytes of its buffer (5.1).
[[nodiscard]] double edgeWidth(Bytes bytes);

enum class NodeDetail { Fill, Box, OneLine, Full };
/// Level of detail by the height of a node on screen (5.9).
[[nodiscard]] NodeDetail nodeDetail(double heightOnScreen);
[[nodiscard]] bool edgesAreStraight(double scale);  ///< below 30 %

/// Items under a scene point; -1 = none. Nodes win over edges, later nodes over earlier ones.
[[nodiscard]] int nodeAt(const GraphScene& scene, QPointF point);
[[nodiscard]] int edgeAt(const GraphScene& scene, QPointF point, double tolerance);
/// Frame whose head line (name and chevron) holds the point, innermost first.
[[nodiscard]] int frameHeadAt(const GraphScene& scene, QPointF point);
/// "+n" mark of a node under the point: node index, and whether it is the one before the node.
struct StubHit {
    int node = -1;
    bool isBefore = false;
};
[[nodiscard]] StubHit stubAt(const GraphScene& scene, QPointF point);
[[nodiscard]] QRectF stubRect(const GraphScene& scene, int node, bool isBefore);

/// Height of the head of an open group's frame.
inline constexpr double kFrameHead = 26;

/// Place of the bird's-eye map in a view: the corner whose rectangle covers the least content.
/// `content` are the node rectangles on screen.
[[nodiscard]] QRectF mapRect(const QRectF& view, const std::vector<QRectF>& content);
/// Scale and offset that fit `bounds` into `map` with a margin of 4.
struct MapFrame {
    double scale = 1;
    QPointF offset;
    [[nodiscard]] QRectF toMap(const QRectF& scene) const;
    [[nodiscard]] QPointF toScene(QPointF inMap) const;
};
[[nodiscard]] MapFrame mapFrame(const QRectF& map, const QRectF& bounds);

}  // namespace memplan::ui

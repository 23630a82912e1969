// SPDX-License-Identifier: Apache-2.0
// What a layout algorithm gets and what it gives back: plain boxes, edges and boxes around boxes, in
// pixels with the origin at the top left and y downwards. Nothing here knows operations or Qt.
#pragma once

#include <string>
#include <vector>

namespace memplan::graphlayout {

enum class Direction { TopToBottom, LeftToRight };

struct Point {
    double x = 0;
    double y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

/// Position is the top-left corner; a width of 0 means "no box".
struct Rect {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    [[nodiscard]] bool isEmpty() const { return width <= 0 || height <= 0; }
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] bool overlaps(const Rect& o) const {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    friend bool operator==(const Rect&, const Rect&) = default;
};

struct LayoutNode {
    double width = 160;
    double height = 40;
    int cluster = -1;  ///< index into clusters, -1 = none
    int minRank = -1;  ///< not above this rank; the built-in layout obeys it, dot finds its own ranks
    friend bool operator==(const LayoutNode&, const LayoutNode&) = default;
};

struct LayoutEdge {
    int from = 0;
    int to = 0;
    friend bool operator==(const LayoutEdge&, const LayoutEdge&) = default;
};

/// A box around nodes and other clusters. A parent stands before its children.
struct LayoutCluster {
    int parent = -1;
    friend bool operator==(const LayoutCluster&, const LayoutCluster&) = default;
};

struct LayoutGraph {
    Direction direction = Direction::TopToBottom;
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    std::vector<LayoutCluster> clusters;
    friend bool operator==(const LayoutGraph&, const LayoutGraph&) = default;
};

/// From the border of the first node to the border of the second. A spline has 1 + 3n points (cubic
/// Bezier pieces), a polyline any number; no points = nothing to draw (self loops).
struct EdgePath {
    bool isSpline = false;
    std::vector<Point> points;
    friend bool operator==(const EdgePath&, const EdgePath&) = default;
};

struct LayoutResult {
    std::vector<Rect> nodes;  ///< parallel to the graph's nodes
    std::vector<EdgePath> edges;
    std::vector<Rect> clusters;  ///< empty boxes where no box can be drawn
    double width = 0;
    double height = 0;
    friend bool operator==(const LayoutResult&, const LayoutResult&) = default;
};

/// First fault of a graph in words (an index out of range, a size that is no positive number, a
/// parent after its child), empty when it can be laid out.
[[nodiscard]] std::string faultOf(const LayoutGraph& graph);

}  // namespace memplan::graphlayout

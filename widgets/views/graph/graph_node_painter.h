// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes of the graph view: operations, inputs, outputs, closed groups (user-experience 5.1, 5.2,
// 5.9, 5.12).
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/graph/graph_view_state.h"

namespace memplan::ui {

/// True when the box stands for the item: its op, its buffer, or an output of its op.
[[nodiscard]] bool isItem(const GraphNode& node, ItemId item);
/// Colour that stands for a box under the overlay: stripe, map, smallest level of detail.
[[nodiscard]] QColor nodeColor(const Theme& theme, const GraphViewState& state, int sceneNode);

/// Ground of the box of an operation of an unknown kind (19.6).
[[nodiscard]] QColor opaqueGround(const Theme& theme);

class NodePainter {
public:
    NodePainter(QPainter& painter, const GraphViewState& state, const Theme& theme, TextCache& texts, double scale);

    void paint(int sceneNode);
    [[nodiscard]] int textCount() const { return texts_; }

private:
    enum class Mark { None, Related, Selected };

    void paintOp(const GraphNode& node, int model, const QRectF& r);
    void paintWords(QPointF baseline, double room, const QString& strong, const QString& plain);
    void paintOneLine(const QRectF& r, const QString& strong, const QString& plain);
    void paintOutput(const GraphNode& node, const QRectF& r);
    void paintGroup(int group, const QRectF& r);
    void paintBar(const GroupFacts& facts, const QRectF& bar);
    void paintBox(const QRectF& r, double radius, bool isDotted, const QColor& ground);
    void paintMarks(const QRectF& r, Mark mark, bool isHovered);
    void paintTrace(int model, const QRectF& r);
    void paintNote(int sceneNode, const QRectF& r);
    void paintStub(int sceneNode, bool isBefore, int count);
    void text(QPointF at, const QString& text, TextStyle style, Token color);
    [[nodiscard]] QString detailText(const QString& detail, double room);
    [[nodiscard]] Mark markOf(int sceneNode) const;
    [[nodiscard]] bool isDimmed(int sceneNode) const;

    QPainter& p_;
    const GraphViewState& s_;
    const GraphScene& scene_;
    const Theme& theme_;
    TextCache& cache_;
    NodeDetail detail_;
    double hairline_;
    double oneLine_;  ///< how much larger the only line of a small box is drawn
    int texts_ = 0;
};

}  // namespace memplan::ui

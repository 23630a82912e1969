// SPDX-License-Identifier: GPL-3.0-or-later
// What the painters of the parts of L1 chains share: where they paint, what, with which look, and the places that
// words have taken already.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/chains/geometry/chain_layout.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace memplan::ui {

struct ChainDrawing {
    QPainter& p;
    const ChainViewState& state;
    const ChainLayout& layout;
    const Theme& theme;
    TextCache& texts;
    std::vector<QRectF> taken;  ///< by words and counts: no label of a link stands there

    [[nodiscard]] static QString words(const char* text) { return QCoreApplication::translate("Chains", text); }
    [[nodiscard]] double width(const QString& what, TextStyle style) const { return texts.width(what, style, theme); }
    void text(QPointF at, const QString& what, TextStyle style, Token token) const {
        p.setPen(theme.color(token));
        texts.draw(p, at, what, style, theme);
    }
    void elided(QPointF at, const QString& what, TextStyle style, Token token, double room) const {
        text(at, texts.elided(what, style, theme, room), style, token);
    }
    /// Text on a plate that hides the lines below it.
    void plated(QPointF at, const QString& what, TextStyle style, const QColor& colour) {
        p.setFont(theme.font(style));
        taken.push_back(drawPlatedText(p, at, what, colour, theme));
    }
    [[nodiscard]] bool isFree(const QRectF& place) const {
        return std::ranges::none_of(taken, [&](const QRectF& t) { return t.intersects(place); });
    }
    [[nodiscard]] const ChainLane& lane(int index) const {
        return state.data->lanes()[static_cast<std::size_t>(index)];
    }
    /// Whether anything of this lane can be in sight.
    [[nodiscard]] bool isInSight(int index) const {
        const int row = layout.rowOf(index);
        const ChainLane& l = lane(index);
        return row + 1 > layout.y.visibleBegin() && row < layout.y.visibleEnd() && l.first() <= layout.x.visibleEnd() &&
               l.last() + 1 + l.tail >= layout.x.visibleBegin();
    }
};

/// An open head at the end of a line.
void paintArrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour);

/// The box of an operation without words, as it stands in a lane or outside of all.
void paintCellBox(const ChainDrawing& drawing, const QRectF& place, const ChainCell& cell, bool isFailed);
void paintCellWords(const ChainDrawing& drawing, const QRectF& place, const ChainCell& cell, bool isFailed);

/// Grounds of the lanes, below everything else.
void paintLaneGrounds(const ChainDrawing& drawing);
/// Cells, counts of pairs and ends.
void paintLanes(ChainDrawing& drawing);
/// Title and state of each chain.
void paintLaneNames(ChainDrawing& drawing);

/// Lines of merges and of values that are kept: below the words, in the channels between the rows.
void paintLinks(const ChainDrawing& drawing);
/// What they are, where there is room.
void paintLinkLabels(ChainDrawing& drawing);

}  // namespace memplan::ui

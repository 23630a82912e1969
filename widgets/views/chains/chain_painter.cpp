// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_painter.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/chain_drawing.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/timeline_painter.h"

#include <cmath>

namespace memplan::ui {

namespace {

/// "▲ better than 80.0 %" beside a figure, or its first words where the room ends.
void paintCompared(const ChainDrawing& d, const ChainFigure& now, const ChainFigure& other, QPointF at, double room) {
    QString text = comparedWords(now, other);
    if (d.width(text, TextStyle::Small) > room) text = briefComparison(now, other);
    const Token token = isSame(now, other) ? Token::Text2 : isBetter(now, other) ? Token::Good : Token::Warning;
    d.text(at, d.texts.elided(text, TextStyle::Small, d.theme, room), TextStyle::Small, token);
}

void paintGoals(const ChainDrawing& d) {
    const auto goals = d.state.data->goals();
    const double wide = d.layout.goals.width() / static_cast<double>(goals.size());
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const double x = 10 + wide * static_cast<double>(i), room = wide - 14;
        d.elided({x, 16}, goals[i].label, TextStyle::Small, Token::Text3, room);
        d.elided({x, 33}, goals[i].value, TextStyle::BodyStrong, Token::Text1, room);
        if (!d.state.other) continue;
        paintCompared(d, goals[i], d.state.other->goals()[i], {x, 48}, room);
    }
    d.p.fillRect(QRectF(0, d.layout.goals.bottom() - 1, d.layout.goals.width(), 1), d.theme.color(Token::Line1));
}

void paintPositions(const ChainDrawing& d) {
    const ChainLayout& l = d.layout;
    const bool isNarrow = l.lanes.left() < 120;
    d.text({10, l.axis.bottom() - 6},
           isNarrow ? ChainDrawing::words("position") : ChainDrawing::words("schedule position"), TextStyle::Small,
           Token::Text3);
    for (const int position : positionTicks(l)) {
        d.p.fillRect(QRectF(std::round(l.xOf(position)), l.axis.bottom(), 1, l.lanes.bottom() - l.axis.bottom()),
                     d.theme.color(Token::LineGrid));
        const QString label = groupedText(position);
        const double wide = d.width(label, TextStyle::Small);
        d.text({std::min(l.xOf(position + 0.5) - wide / 2, l.lanes.right() + 6 - wide), l.axis.bottom() - 6}, label,
               TextStyle::Small, Token::Text2);
    }
}

/// Operations in no chain: a row of their own; the only one where a policy builds no chains.
void paintOutside(const ChainDrawing& d) {
    const ChainLayout& l = d.layout;
    const bool isAlone = d.state.data->lanes().empty();
    d.text({10, isAlone ? l.outside.top() + 18 : l.outside.bottom() - 9},
           isAlone ? ChainDrawing::words("operations") : ChainDrawing::words("in no chain"), TextStyle::Small,
           Token::Text3);
    d.p.save();
    d.p.setClipRect(l.outside);
    for (const ChainCell& cell : d.state.data->outside()) {
        if (cell.op.index + 1 < l.x.visibleBegin() || cell.op.index > l.x.visibleEnd()) continue;
        const QRectF r = l.outsideRect(cell.op);
        paintCellBox(d, r, cell, false);
        if (isAlone) {
            paintCellWords(d, r, cell, false);
            continue;
        }
        if (r.width() < 24) continue;
        const bool isInserted = cell.conversion != TtnnConversion::None;
        d.elided({r.left() + 5, r.bottom() - 6}, isInserted ? conversionWord(cell.conversion) : cell.name,
                 TextStyle::Tiny, isInserted ? Token::Text3 : Token::Text2, r.width() - (cell.isInL1 ? 9 : 15));
    }
    d.p.restore();
    d.p.fillRect(QRectF(0, l.outside.bottom(), l.goals.width(), 1), d.theme.color(Token::Line1));
}

void paintChainRows(ChainDrawing& d) {
    const ChainLayout& l = d.layout;
    d.p.save();
    d.p.setClipRect(QRectF(0, l.lanes.top(), l.goals.width(), l.lanes.height()));
    paintLaneGrounds(d);
    d.p.setClipRect(l.lanes);
    paintLinks(d);
    paintLanes(d);
    if (!l.isPacked()) d.p.setClipRect(l.names);
    paintLaneNames(d);
    d.p.setClipRect(l.lanes);
    paintLinkLabels(d);
    d.p.restore();
    if (!l.isPacked()) return;
    const auto count = static_cast<qint64>(d.state.data->lanes().size());
    const QString rows = ChainDrawing::words("in %1 rows").arg(d.state.data->packedRows());
    d.elided({10, l.lanes.top() + 16}, plural(count, ChainDrawing::words("chain"), ChainDrawing::words("chains")),
             TextStyle::Small, Token::Text3, l.names.width() - 12);
    if (d.state.data->packedRows() > 1 && l.lanes.height() >= 36)
        d.elided({10, l.lanes.top() + 30}, rows, TextStyle::Small, Token::Text3, l.names.width() - 12);
}

}  // namespace

void paintChains(QPainter& painter, const ChainViewState& state, QSizeF size, const Theme& theme, TextCache& texts) {
    if (!state.data) return;
    painter.save();
    const ChainLayout layout = chainLayout(state, size);
    ChainDrawing drawing{painter, state, layout, theme, texts, {}};
    if (!layout.goals.isEmpty()) paintGoals(drawing);
    paintPositions(drawing);
    if (!layout.outside.isEmpty()) paintOutside(drawing);
    if (!state.data->lanes().empty()) paintChainRows(drawing);
    if (!layout.timeline.isEmpty()) paintTimeline(painter, state, layout, theme, texts);
    painter.restore();
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of L1 chains: state, cells, counts of pairs, ends (user-experience 8.1 to 8.4, 8.10).
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/patterns.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/chain_drawing.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QPainterPath>

#include <cmath>

namespace memplan::ui {

using ttnn::ChainState;
using ttnn::SpillLocation;

namespace {

constexpr double kMarkWidth = 18, kLineHeight = 13, kLeastWords = 60;
constexpr double kLeastPitch = 12, kMostPitch = 16;  // of the three lines of a cell
constexpr qsizetype kLeastLine = 8;                  // letters of a line
constexpr double kHatch = 6;                         // px of a cell that say DRAM by their pattern
constexpr int kPorts = 4;                            // operands that are drawn

void paintOutline(const ChainDrawing& d, const QRectF& box, OpId op) {
    if (d.state.selection.isSelected(ItemId::of(op))) {
        d.p.setPen(QPen(d.theme.color(Token::BgCanvas), 4));
        d.p.drawRect(box.adjusted(-1, -1, 0, 0));
        d.p.setPen(QPen(d.theme.color(Token::SelectOutline), 2));
        d.p.drawRect(box.adjusted(-1, -1, 0, 0));
    } else if (d.state.selection.isHovered(ItemId::of(op))) {
        d.p.setPen(QPen(d.theme.color(Token::Text2), 1));
        d.p.drawRect(box.adjusted(-1, -1, 0, 0));
    }
}

/// One for each operand that another operation made: hollow where the solver did not follow it.
void paintPorts(const ChainDrawing& d, const QRectF& place, const ChainCell& cell) {
    if (std::ranges::all_of(cell.isTracked, [](bool tracked) { return tracked; })) return;
    const QColor edge = d.theme.color(Token::Text2);
    d.p.setRenderHint(QPainter::Antialiasing, true);
    d.p.setPen(QPen(edge, 1.2));
    for (int i = 0; i < std::min(kPorts, static_cast<int>(cell.isTracked.size())); ++i) {
        d.p.setBrush(cell.isTracked[static_cast<std::size_t>(i)] ? edge : d.theme.color(Token::BgCanvas));
        d.p.drawEllipse(QPointF(place.left() + 0.5, place.top() + 7 + 9 * i), 3, 3);
    }
    d.p.setRenderHint(QPainter::Antialiasing, false);
}

void paintDiamond(const ChainDrawing& d, QPointF at) {
    QPainterPath diamond;
    diamond.moveTo(at + QPointF(0, -6));
    diamond.lineTo(at + QPointF(6, 0));
    diamond.lineTo(at + QPointF(0, 6));
    diamond.lineTo(at + QPointF(-6, 0));
    diamond.closeSubpath();
    d.p.setRenderHint(QPainter::Antialiasing, true);
    d.p.setPen(d.theme.residency(Residency::Resharded, Tone::Edge));
    d.p.setBrush(d.theme.residency(Residency::Resharded, Tone::Soft));
    d.p.drawPath(diamond);
    d.p.setRenderHint(QPainter::Antialiasing, false);
}

void paintEdge(ChainDrawing& d, int lane, const ChainEdge& edge) {
    const QRectF consumer = d.layout.cellRect(lane, edge.consumer);
    if (edge.isResharded && d.layout.x.scale >= 14 && d.layout.y.scale >= 14)
        paintDiamond(d, {consumer.left() - 1, consumer.center().y() + 8});
    const QRectF pill = d.layout.edgeRect(lane, edge);
    const QString label = edge.text();
    if (pill.isEmpty() || (label.isEmpty() && !edge.isDead)) return;
    const bool isChosen = d.state.edge == edge.edge;
    const Token line = edge.isDead ? Token::Error : isChosen ? Token::SelectOutline : Token::LineControl;
    d.p.setRenderHint(QPainter::Antialiasing, true);
    d.p.setPen(QPen(d.theme.color(line), isChosen ? 2 : 1));
    d.p.setBrush(d.theme.color(edge.isDead ? Token::ErrorBg : Token::BgRaised));
    d.p.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
    d.p.setRenderHint(QPainter::Antialiasing, false);
    const QString shown = d.texts.elided(label.isEmpty() ? ChainDrawing::words("none") : label, TextStyle::TinyStrong,
                                         d.theme, pill.width() - 4);
    d.text({pill.center().x() - d.width(shown, TextStyle::TinyStrong) / 2, pill.bottom() - 4}, shown,
           TextStyle::TinyStrong, edge.isDead ? Token::Error : Token::Text1);
    d.taken.push_back(pill);
}

// ---- ends ----

/// Where the last value goes: down to DRAM, a double line for interleaved L1, an arrow onward.
void paintMark(ChainDrawing& d, const ChainLane& lane, QPointF at, double room) {
    const QColor off = d.theme.color(Token::Warning), on = d.theme.residency(Residency::OnChip, Tone::Edge);
    const bool isDram = lane.state != ChainState::Completed || lane.spill == SpillLocation::Dram;
    const bool isInterleaved = !isDram && lane.spill == SpillLocation::L1Interleaved;
    const double x = at.x(), y = at.y();
    d.p.setBrush(Qt::NoBrush);
    if (isDram) {
        d.p.setPen(QPen(off, 2));
        d.p.drawLine(QPointF(x, y), QPointF(x + 8, y));
        paintArrow(d.p, {x + 8, y}, {x + 8, y + 8}, off);
    } else if (isInterleaved) {
        d.p.setPen(QPen(on, 1));
        d.p.drawLine(QPointF(x, y - 2), QPointF(x + 14, y - 2));
        d.p.drawLine(QPointF(x, y + 2), QPointF(x + 14, y + 2));
    } else {
        paintArrow(d.p, {x, y}, {x + 14, y}, on);
    }
    const QString label = isDram          ? QStringLiteral("DRAM")
                          : isInterleaved ? QStringLiteral("L1 IL")
                                          : QStringLiteral("L1");
    if (kMarkWidth + d.width(label, TextStyle::TinyStrong) + 4 > room) return;
    d.plated({x + kMarkWidth + 2, y + 4}, label, TextStyle::TinyStrong, isDram ? off : on);
}

/// In as few lines as it needs; what does not fit into two is elided in the middle.
QStringList linesOf(const ChainDrawing& d, const QString& sentence, double room) {
    if (d.width(sentence, TextStyle::Small) <= room) return {sentence};
    QString first;
    for (const QString& word : sentence.split(u' ')) {
        const QString longer = first.isEmpty() ? word : first + u' ' + word;
        if (d.width(longer, TextStyle::Small) > room) break;
        first = longer;
    }
    if (first.size() < kLeastLine) return {d.texts.elided(sentence, TextStyle::Small, d.theme, room)};
    return {first, d.texts.elided(sentence.mid(first.size() + 1), TextStyle::Small, d.theme, room)};
}

void paintEnd(ChainDrawing& d, int index, const ChainLane& lane) {
    const QRectF last = d.layout.cellRect(index, lane.cells.back().op), room = d.layout.endRoom(index);
    const bool isBehind = room.left() >= last.right();
    const double behind = isBehind ? room.width() : std::max(0.0, d.layout.lanes.right() - last.right() - 4);
    if (last.right() < d.layout.lanes.left() || behind < kMarkWidth) {
        if (isBehind) return;
    } else {
        paintMark(d, lane, {last.right() + 4, d.layout.hasWords() ? last.top() + 5 : last.center().y()}, behind);
    }
    const double wide = room.width() - 10;
    if (!d.layout.hasWords() || wide < kLeastWords) return;
    double y = room.top() + (isBehind ? 27 : 17);
    for (const QString& line : linesOf(d, lane.ends, wide)) {
        const double x = isBehind ? room.left() + 5 : room.right() - 5 - d.width(line, TextStyle::Small);
        d.plated({x, y}, line, TextStyle::Small, d.theme.color(Token::Text2));
        y += kLineHeight;
    }
}

// ---- names ----

void paintBadge(const ChainDrawing& d, const QRectF& badge, ChainState state) {
    const Token token = stateToken(state);
    d.p.setRenderHint(QPainter::Antialiasing, true);
    d.p.setPen(d.theme.color(token));
    d.p.setBrush(d.theme.color(token == Token::Good    ? Token::GoodBg
                               : token == Token::Error ? Token::ErrorBg
                                                       : Token::BgCanvas));
    d.p.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    d.p.setRenderHint(QPainter::Antialiasing, false);
    const QString icon = stateIcon(state);
    const double inset = (badge.height() - 12) / 2;
    if (!icon.isEmpty())
        drawIcon(d.p, QRectF(badge.left() + 4, badge.top() + inset, 12, 12), icon, d.theme.color(token));
    const TextStyle style = badge.height() < 18 ? TextStyle::TinyStrong : TextStyle::SmallStrong;
    d.text({badge.left() + (icon.isEmpty() ? 6 : 20), badge.bottom() - inset - 2}, stateWord(state), style, token);
}

void paintNameBeside(const ChainDrawing& d, int index) {
    const ChainLane& lane = d.lane(index);
    const QRectF row = d.layout.laneRect(index), badge = d.layout.badgeRect(index);
    if (d.layout.y.scale < 20) {
        d.p.fillRect(badge, d.theme.color(stateToken(lane.state)));
        if (d.layout.y.scale >= 11) d.text({10, row.center().y() + 4}, lane.title, TextStyle::Tiny, Token::Text2);
        return;
    }
    d.text({10, badge.bottom() - 5}, lane.title, TextStyle::BodyStrong, Token::Text1);
    paintBadge(d, badge, lane.state);
    if (d.layout.y.scale >= 44)
        d.elided({10, badge.bottom() + 15}, lane.goes, TextStyle::Small, Token::Text3, d.layout.names.width() - 16);
}

/// Above the first cell; far away only where there is room, a failed chain first of all.
void paintNameAbove(ChainDrawing& d, int index) {
    const ChainLane& lane = d.lane(index);
    const QRectF first = d.layout.cellRect(index, lane.cells.front().op);
    if (!d.layout.hasWords()) {
        const bool isFailed = lane.state == ChainState::Failed;
        const double wide = d.width(lane.title, TextStyle::Tiny), y = first.bottom() + 12;
        const double room = d.layout.xOf(lane.last() + 1) - first.left();
        if (d.layout.y.scale < 60 || (!isFailed && room < wide)) return;
        const double x = std::min(first.left(), d.layout.lanes.right() - wide);
        if (!d.isFree({x - 4, y - 11, wide + 8, 13})) return;
        d.plated({x, y}, lane.title, TextStyle::Tiny, d.theme.color(isFailed ? Token::Error : Token::Text2));
        return;
    }
    const QRectF badge = d.layout.badgeRect(index);
    d.plated({first.left(), badge.bottom() - 3}, lane.title, TextStyle::SmallStrong, d.theme.color(Token::Text1));
    paintBadge(d, badge, lane.state);
    d.taken.push_back(badge);
}

/// What the legend shows; cells carry its pattern as a strip.
PatternInk inkOfCell(const Theme& theme, const ChainCell& cell) {
    if (!cell.isInL1) return inkOf(theme, Residency::OffChip);
    return cell.isSharded ? inkOf(theme, Residency::OnChip) : faintInk(theme, Residency::OnChip);
}

/// A cell of a few pixels has the tone of the legend between its edges: sides alone would leave no tone at all.
void paintSliver(const ChainDrawing& d, const QRectF& box, const QColor& edge, const QColor& ground) {
    d.p.fillRect(box, ground);
    d.p.fillRect(QRectF(box.left(), box.top(), box.width(), 1), edge);
    d.p.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), edge);
}

}  // namespace

void paintCellBox(const ChainDrawing& d, const QRectF& place, const ChainCell& cell, bool isFailed) {
    const QRectF box = place.toAlignedRect();
    const QColor edge = isFailed      ? d.theme.color(Token::Error)
                        : cell.isInL1 ? d.theme.residency(Residency::OnChip, Tone::Edge)
                                      : d.theme.residency(Residency::OffChip, Tone::Edge);
    const PatternInk ink = inkOfCell(d.theme, cell);
    const QColor tone = cell.isInL1 ? ink.ground : d.theme.residency(Residency::OffChip, Tone::Soft);
    if (place.width() < 4) return paintSliver(d, box, edge, isFailed ? edge : tone);
    d.p.fillRect(box, cell.isInL1 ? ink.ground : d.theme.color(Token::BgCanvas));
    if (ink.pattern != Pattern::Solid && box.width() >= 24)
        fillPattern(d.p, {box.right() - kHatch, box.top(), kHatch, box.height()}, ink);
    d.p.setPen(isFailed ? QPen(edge, 1, Qt::DashLine) : QPen(edge, 1));
    d.p.setBrush(Qt::NoBrush);
    d.p.drawRect(box.adjusted(0, 0, -1, -1));
    paintOutline(d, box, cell.op);
}

void paintCellWords(const ChainDrawing& d, const QRectF& r, const ChainCell& cell, bool isFailed) {
    const bool isPlain = inkOfCell(d.theme, cell).pattern == Pattern::Solid;
    const double room = r.width() - (isPlain ? 10 : 10 + kHatch), x = r.left() + 6;
    if (room < 20 || r.height() < 14) return;
    const double pitch = std::clamp(std::floor((r.height() - 4) / 3), kLeastPitch, kMostPitch);
    d.elided({x, r.top() + pitch}, cell.name, TextStyle::TinyStrong, Token::Text1, room);
    // Half of a layout says nothing: whole or not at all.
    const auto whole = [&](int place, const QString& line) {
        const double below = pitch * place;
        if (r.height() < below + 2 || d.width(line, TextStyle::Tiny) > room) return;
        d.text({x, r.top() + below}, line, TextStyle::Tiny, Token::Text2);
    };
    whole(2, cell.layout);
    if (isFailed) return whole(3, ChainDrawing::words("no config"));
    whole(3, cell.isSharded ? QStringLiteral("%1, %2").arg(cell.grid).arg(cell.cores)
                            : plural(cell.cores, ChainDrawing::words("core"), ChainDrawing::words("cores")));
}

void paintLaneGrounds(const ChainDrawing& d) {
    const double right = d.layout.lanes.right() + 8;
    if (d.state.lane >= 0) {
        QRectF chosen = d.layout.laneRect(d.state.lane);
        if (!d.layout.isPacked()) chosen = QRectF(0, chosen.top(), right, chosen.height());
        d.p.fillRect(chosen.intersected(QRectF(0, d.layout.lanes.top(), right, d.layout.lanes.height())),
                     d.theme.color(Token::BgSelected));
    }
    if (d.layout.y.scale < 12) return;
    for (double row = std::floor(d.layout.y.visibleBegin()) + 1; row <= d.layout.y.visibleEnd(); ++row)
        d.p.fillRect(QRectF(0, std::round(d.layout.yOf(row)) - 1, right, 1), d.theme.color(Token::LineGrid));
}

void paintLanes(ChainDrawing& d) {
    const int count = static_cast<int>(d.state.data->lanes().size());
    for (int i = 0; i < count; ++i) {
        if (!d.isInSight(i)) continue;
        const ChainLane& lane = d.lane(i);
        const bool isFailed = lane.state == ChainState::Failed;
        for (const ChainCell& cell : lane.cells) {
            if (cell.op.index + 1 < d.layout.x.visibleBegin() || cell.op.index > d.layout.x.visibleEnd()) continue;
            const QRectF place = d.layout.cellRect(i, cell.op);
            paintCellBox(d, place, cell, isFailed);
            paintCellWords(d, place, cell, isFailed);
            if (place.width() >= 40 && place.height() >= 26) paintPorts(d, place, cell);
        }
        for (const ChainEdge& edge : lane.edges)
            paintEdge(d, i, edge);
        if (d.layout.y.scale >= 20 && d.layout.x.scale >= 8) paintEnd(d, i, lane);
    }
}

void paintLaneNames(ChainDrawing& d) {
    const int count = static_cast<int>(d.state.data->lanes().size());
    for (int i = 0; i < count; ++i) {
        const int row = d.layout.rowOf(i);
        if (row + 1 < d.layout.y.visibleBegin() || row > d.layout.y.visibleEnd()) continue;
        if (!d.layout.isPacked())
            paintNameBeside(d, i);
        else if (d.isInSight(i))
            paintNameAbove(d, i);
    }
}

}  // namespace memplan::ui

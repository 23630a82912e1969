// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_painter.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

using ttnn::ChainState;
using ttnn::SpillLocation;

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

class ChainPainter {
public:
    ChainPainter(QPainter& painter, const ChainViewState& state, QSizeF size, const Theme& theme, TextCache& texts)
        : p_(painter), s_(state), size_(size), l_(chainLayout(state.viewport, size)), theme_(theme), texts_(texts) {}

    void paint() {
        paintGoals();
        paintPositions();
        paintOutside();
        p_.save();
        p_.setClipRect(QRectF(0, l_.lanes.top(), size_.width(), l_.lanes.height()));
        const int first = std::max(0, static_cast<int>(std::floor(l_.y.visibleBegin())));
        const int end =
            std::min(static_cast<int>(s_.data->lanes().size()), static_cast<int>(std::ceil(l_.y.visibleEnd())));
        for (int i = first; i < end; ++i)
            paintGround(i);
        p_.setClipRect(l_.lanes);
        for (const ChainLink& link : s_.data->links())
            paintLink(link);
        for (int i = first; i < end; ++i)
            paintLane(i);
        p_.restore();
        p_.save();
        p_.setClipRect(l_.names);
        for (int i = first; i < end; ++i)
            paintName(i);
        p_.restore();
        paintTimeline(p_, s_, l_, theme_, texts_);
    }

private:
    double text(QPointF at, const QString& what, TextStyle style, Token token) {
        p_.setPen(theme_.color(token));
        texts_.draw(p_, at, what, style, theme_);
        return at.x() + texts_.width(what, style, theme_);
    }
    void elided(QPointF at, const QString& what, TextStyle style, Token token, double width) {
        text(at, texts_.elided(what, style, theme_, width), style, token);
    }
    [[nodiscard]] bool isSelected(OpId op) const { return s_.selection.isSelected(ItemId::of(op)); }

    // ---- above the lanes ----

    void paintGoals() {
        const auto goals = s_.data->goals();
        const double wide = l_.goals.width() / static_cast<double>(goals.size());
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const double x = 10 + wide * static_cast<double>(i);
            elided({x, 16}, goals[i].label, TextStyle::Small, Token::Text3, wide - 14);
            elided({x, 33}, goals[i].value, TextStyle::BodyStrong, Token::Text1, wide - 14);
        }
        p_.fillRect(QRectF(0, l_.goals.bottom() - 1, size_.width(), 1), theme_.color(Token::Line1));
    }

    void paintPositions() {
        text({10, l_.axis.bottom() - 6}, words("schedule position"), TextStyle::Small, Token::Text3);
        const double every = niceStep(34 / l_.x.scale, TickBase::Decimal);
        for (double v = std::ceil(std::max(0.0, l_.x.visibleBegin()) / every) * every;
             v < std::min(l_.x.visibleEnd(), static_cast<double>(s_.data->positions())); v += every) {
            const double x = l_.xOf(v + 0.5);
            p_.fillRect(QRectF(std::round(l_.xOf(v)), l_.axis.bottom(), 1, l_.lanes.bottom() - l_.axis.bottom()),
                        theme_.color(Token::LineGrid));
            const QString label = groupedText(static_cast<qint64>(v));
            text({x - texts_.width(label, TextStyle::Small, theme_) / 2, l_.axis.bottom() - 6}, label, TextStyle::Small,
                 Token::Text2);
        }
    }

    void paintOutside() {
        text({10, l_.outside.bottom() - 9}, words("in no chain"), TextStyle::Small, Token::Text3);
        p_.save();
        p_.setClipRect(l_.outside);
        for (const ChainCell& cell : s_.data->outside()) {
            if (cell.op.index + 1 < l_.x.visibleBegin() || cell.op.index > l_.x.visibleEnd()) continue;
            const QRectF r = l_.outsideRect(cell.op);
            paintBox(r, cell, false);
            if (r.width() < 24) continue;
            const bool isInserted = cell.conversion != TtnnConversion::None;
            elided({r.left() + 4, r.bottom() - 6}, isInserted ? conversionWord(cell.conversion) : cell.name,
                   TextStyle::Tiny, isInserted ? Token::Text3 : Token::Text2, r.width() - 7);
        }
        p_.restore();
        p_.fillRect(QRectF(0, l_.outside.bottom(), size_.width(), 1), theme_.color(Token::Line1));
    }

    // ---- lanes ----

    void paintGround(int lane) {
        const QRectF row(0, l_.yOf(lane), size_.width(), l_.y.scale);
        if (lane == s_.lane) p_.fillRect(row, theme_.color(Token::BgSelected));
        if (l_.y.scale >= 12)
            p_.fillRect(QRectF(0, std::round(row.bottom()) - 1, size_.width(), 1), theme_.color(Token::LineGrid));
    }

    void paintName(int i) {
        const ChainLane& lane = s_.data->lanes()[static_cast<std::size_t>(i)];
        const QRectF row = l_.laneRect(i), badge = l_.badgeRect(i);
        const Token token = stateToken(lane.state);
        if (l_.y.scale < 20) {
            p_.fillRect(badge, theme_.color(token));
            if (l_.y.scale >= 11) text({10, row.center().y() + 4}, lane.title, TextStyle::Tiny, Token::Text2);
            return;
        }
        text({10, badge.bottom() - 5}, lane.title, TextStyle::BodyStrong, Token::Text1);
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(theme_.color(token));
        p_.setBrush(theme_.color(token == Token::Good    ? Token::GoodBg
                                 : token == Token::Error ? Token::ErrorBg
                                                         : Token::BgCanvas));
        p_.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        p_.setRenderHint(QPainter::Antialiasing, false);
        const QString icon = stateIcon(lane.state);
        if (!icon.isEmpty()) drawIcon(p_, QRectF(badge.left() + 5, badge.top() + 3, 12, 12), icon, theme_.color(token));
        text({badge.left() + 22, badge.bottom() - 5}, stateWord(lane.state), TextStyle::SmallStrong, token);
        if (l_.y.scale >= 44)
            elided({10, badge.bottom() + 15}, lane.goes, TextStyle::Small, Token::Text3, l_.names.width() - 16);
    }

    void paintLane(int i) {
        const ChainLane& lane = s_.data->lanes()[static_cast<std::size_t>(i)];
        if (lane.first() > l_.x.visibleEnd()) return;
        for (const ChainCell& cell : lane.cells)
            if (cell.op.index + 1 >= l_.x.visibleBegin() && cell.op.index <= l_.x.visibleEnd())
                paintCell(i, lane, cell);
        for (const ChainEdge& edge : lane.edges)
            paintEdge(i, edge);
        if (l_.y.scale >= 20 && l_.x.scale >= 8) paintEnd(i, lane);
    }

    void paintBox(const QRectF& r, const ChainCell& cell, bool isFailed) {
        const QRectF box = r.toAlignedRect();
        const QColor edge = isFailed      ? theme_.color(Token::Error)
                            : cell.isInL1 ? theme_.residency(Residency::OnChip, Tone::Edge)
                                          : theme_.residency(Residency::OffChip, Tone::Edge);
        QColor fill = theme_.color(Token::BgCanvas);
        if (cell.isInL1) fill = theme_.residency(Residency::OnChip, Tone::Soft);
        if (cell.isInL1 && !cell.isSharded) fill = Theme::mix(fill, theme_.color(Token::BgCanvas), 0.45);
        if (box.width() < 4) {
            p_.fillRect(box, edge);
            return;
        }
        p_.fillRect(box, fill);
        p_.setPen(isFailed ? QPen(edge, 1, Qt::DashLine) : QPen(edge, 1));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(box.adjusted(0, 0, -1, -1));
        if (isSelected(cell.op)) {
            p_.setPen(QPen(theme_.color(Token::SelectOutline), 2));
            p_.drawRect(box.adjusted(0, 0, -1, -1));
        } else if (s_.selection.isHovered(ItemId::of(cell.op))) {
            p_.setPen(QPen(theme_.color(Token::Text1), 1));
            p_.drawRect(box.adjusted(0, 0, -1, -1));
        }
    }

    void paintCell(int i, const ChainLane& lane, const ChainCell& cell) {
        const QRectF r = l_.cellRect(i, cell.op);
        paintBox(r, cell, lane.state == ChainState::Failed);
        const double room = r.width() - 8, x = r.left() + 5;
        if (room < 20 || r.height() < 14) return;
        elided({x, r.top() + 12}, cell.name, TextStyle::TinyStrong, Token::Text1, room);
        if (r.height() < 26) return;
        elided({x, r.top() + 24}, cell.layout, TextStyle::Tiny, Token::Text2, room);
        if (r.height() < 38) return;
        const QString third = lane.state == ChainState::Failed ? words("no configuration")
                              : cell.isSharded                 ? words("%1, %2 cores").arg(cell.grid).arg(cell.cores)
                                                               : words("%1 cores").arg(cell.cores);
        elided({x, r.top() + 36}, third, TextStyle::Tiny, Token::Text2, room);
    }

    void paintEdge(int i, const ChainEdge& edge) {
        const QRectF consumer = l_.cellRect(i, edge.consumer);
        if (edge.isResharded && l_.x.scale >= 14 && l_.y.scale >= 14)
            paintDiamond({consumer.left() - 1, consumer.center().y()});
        const QRectF pill = l_.edgeRect(i, edge);
        const QString label = edge.text();
        if (pill.isEmpty() || (label.isEmpty() && !edge.isDead)) return;
        const bool isChosen = s_.edge == edge.edge;
        const Token line = edge.isDead ? Token::Error : isChosen ? Token::SelectOutline : Token::LineControl;
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(QPen(theme_.color(line), isChosen ? 2 : 1));
        p_.setBrush(theme_.color(edge.isDead ? Token::ErrorBg : Token::BgRaised));
        p_.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
        p_.setRenderHint(QPainter::Antialiasing, false);
        const QString shown =
            texts_.elided(label.isEmpty() ? words("none") : label, TextStyle::TinyStrong, theme_, pill.width() - 4);
        text({pill.center().x() - texts_.width(shown, TextStyle::TinyStrong, theme_) / 2, pill.bottom() - 4}, shown,
             TextStyle::TinyStrong, edge.isDead ? Token::Error : Token::Text1);
    }

    void paintDiamond(QPointF at) {
        p_.setRenderHint(QPainter::Antialiasing, true);
        QPainterPath diamond;
        diamond.moveTo(at + QPointF(0, -6));
        diamond.lineTo(at + QPointF(6, 0));
        diamond.lineTo(at + QPointF(0, 6));
        diamond.lineTo(at + QPointF(-6, 0));
        diamond.closeSubpath();
        p_.setPen(theme_.residency(Residency::Resharded, Tone::Edge));
        p_.setBrush(theme_.residency(Residency::Resharded, Tone::Soft));
        p_.drawPath(diamond);
        p_.setRenderHint(QPainter::Antialiasing, false);
    }

    // ---- ends ----

    void paintEnd(int i, const ChainLane& lane) {
        const QRectF last = l_.cellRect(i, lane.cells.back().op);
        if (last.right() < l_.lanes.left() || last.right() > l_.lanes.right()) return;
        const double x = last.right() + 4, y = last.center().y() - (l_.y.scale >= 44 ? 6 : 0);
        const QColor off = theme_.color(Token::Warning), on = theme_.residency(Residency::OnChip, Tone::Edge);
        const bool isDram = lane.state != ChainState::Completed || lane.spill == SpillLocation::Dram;
        QString label;
        p_.setBrush(Qt::NoBrush);
        if (isDram) {
            p_.setPen(QPen(off, 2));
            p_.drawLine(QPointF(x, y), QPointF(x + 8, y));
            arrow({x + 8, y}, {x + 8, y + 12}, off);
            label = QStringLiteral("DRAM");
        } else if (lane.spill == SpillLocation::L1Interleaved) {
            p_.setPen(QPen(on, 1));
            p_.drawLine(QPointF(x, y - 2), QPointF(x + 14, y - 2));
            p_.drawLine(QPointF(x, y + 2), QPointF(x + 14, y + 2));
            label = QStringLiteral("L1 IL");
        } else {
            arrow({x, y}, {x + 14, y}, on);
            label = QStringLiteral("L1");
        }
        p_.setFont(theme_.font(TextStyle::TinyStrong));
        drawPlatedText(p_, {x + 18, y + 4}, label, isDram ? off : on, theme_);
        if (l_.y.scale < 30) return;
        p_.setFont(theme_.font(TextStyle::Small));
        const bool isTwoLines = l_.y.scale >= 44;
        const QPointF at = isTwoLines ? QPointF(x + 18, y + 20) : QPointF(x + 54, y + 4);
        drawPlatedText(p_, at, lane.ends, theme_.color(Token::Text2), theme_);
    }

    void arrow(QPointF from, QPointF to, const QColor& colour) {
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(QPen(colour, 2));
        p_.drawLine(from, to);
        const QPointF d = to - from;
        const double length = std::max(1.0, std::hypot(d.x(), d.y()));
        const QPointF u = d / length, side(-u.y(), u.x());
        p_.drawLine(to, to - u * 5 + side * 4);
        p_.drawLine(to, to - u * 5 - side * 4);
        p_.setRenderHint(QPainter::Antialiasing, false);
    }

    // ---- links ----

    [[nodiscard]] QColor linkColour(const ChainLink& link) const {
        if (!link.isAccepted) return theme_.color(Token::Error);
        switch (link.kind) {
        case ChainLink::Kind::ThreeWay:
            return theme_.color(Token::WhatIf);
        case ChainLink::Kind::Concat:
            return theme_.category(3);
        case ChainLink::Kind::Fork:
            return theme_.residency(Residency::OnChip, Tone::Edge);
        case ChainLink::Kind::Merge:
            break;
        }
        return theme_.color(Token::Accent);
    }

    void paintLink(const ChainLink& link) {
        if (!link.isAccepted && !s_.showsRejected) return;
        const QRectF a = l_.cellRect(link.fromLane, link.from), b = l_.cellRect(link.toLane, link.to);
        const QRectF around = a.united(b);
        if (!around.intersects(l_.lanes)) return;
        const QColor colour = linkColour(link);
        const double slot = b.left() + b.width() * (link.isAccepted ? 0.3 : 0.7);
        const double y = a.center().y() + (link.isAccepted ? 0 : 8);
        const bool isDown = b.top() > a.top();
        const double end = isDown ? b.top() - 1 : b.bottom() + 1;
        p_.setBrush(Qt::NoBrush);
        QPen pen(colour, l_.y.scale >= 20 ? 2 : 1, link.isAccepted ? Qt::SolidLine : Qt::DashLine);
        p_.setPen(pen);
        p_.drawLine(QPointF(a.right(), y), QPointF(slot, y));
        p_.drawLine(QPointF(slot, y), QPointF(slot, end));
        if (l_.y.scale < 20) return;
        arrow({slot, end - (isDown ? 6 : -6)}, {slot, end}, colour);
        if (l_.y.scale < 44 || l_.x.scale < 40 || link.fromLane == link.toLane) return;
        const double from = a.right() + 60, room = slot - from;
        const QString label = texts_.elided(link.text, TextStyle::Tiny, theme_, std::max(0.0, room - 8));
        if (label.size() < 12) return;
        p_.setFont(theme_.font(TextStyle::Tiny));
        drawPlatedText(p_, {from, y - 4}, label, colour, theme_);
    }

    QPainter& p_;
    const ChainViewState& s_;
    const QSizeF size_;
    const ChainLayout l_;
    const Theme& theme_;
    TextCache& texts_;
};

}  // namespace

void paintChains(QPainter& painter, const ChainViewState& state, QSizeF size, const Theme& theme, TextCache& texts) {
    if (!state.data) return;
    painter.save();
    ChainPainter(painter, state, size, theme, texts).paint();
    painter.restore();
}

}  // namespace memplan::ui

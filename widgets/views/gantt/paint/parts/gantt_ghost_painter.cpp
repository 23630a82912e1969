// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_ghost_painter.h"

#include <algorithm>

namespace memplan::ui {

namespace {

const GanttItem* itemOf(const GanttData& data, BufferId id) {
    for (const auto* list : {&data.items, &data.longItems})
        for (const GanttItem& item : *list)
            if (item.buffer == id) return &item;
    return nullptr;
}

}  // namespace

QStringList ghostLines(const GhostPlace& ghost) {
    QStringList lines{QObject::tr("needs %1").arg(exactBytes(ghost.size)),
                      QObject::tr("largest gap %1 for its whole life").arg(exactBytes(ghost.gap))};
    if (ghost.tightest)
        lines << QObject::tr("at step %1: %2 of %3 free")
                     .arg(groupedText(ghost.tightest->step), exactBytes(ghost.tightest->gap),
                          exactBytes(ghost.tightest->free));
    return lines;
}

QRectF GanttGhostPainter::ghostRect() const {
    return layout_.rectOf(picture_.ghost->life.begin, picture_.ghost->life.end,
                          static_cast<double>(picture_.ghost->address), static_cast<double>(picture_.ghost->size));
}

void GanttGhostPainter::ghostPlace() {
    if (!picture_.ghost) return;
    const QRectF r = ghostRect().adjusted(1, 1, -1, -1);
    p_.save();
    p_.setClipRect(layout_.plot);
    QPen dashed(color(Token::SelectOutline), 1.5);
    dashed.setDashPattern({6 / 1.5, 4 / 1.5});
    p_.setPen(dashed);
    p_.setBrush(Theme::withAlpha(color(Token::SelectOutline), 0.10));
    p_.drawRect(r);
    if (picture_.ghost->shortBy > 0) {
        const QRectF over = layout_
                                .rectOf(picture_.ghost->life.begin, picture_.ghost->life.end,
                                        static_cast<double>(picture_.ghost->address + picture_.ghost->gap),
                                        static_cast<double>(picture_.ghost->shortBy))
                                .adjusted(1, 0, -1, 0);
        PatternInk hatch = errorHatch(theme_);
        hatch.inkOpacity = 1.0;
        fillPattern(p_, over, hatch);
        p_.setPen(color(Token::Error));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(over);
    }
    p_.restore();
}

void GanttGhostPainter::ghostWords() {
    if (!picture_.ghost) return;
    const QRectF full = ghostRect();
    blockerLeaders(*picture_.ghost);
    ghostName(full.adjusted(1, 1, -1, -1), ghostCallout(*picture_.ghost, full));
}

/// The name of the refused buffer in its rectangle, where the callout and the words of the limit leave room for it.
void GanttGhostPainter::ghostName(const QRectF& rect, const QRectF& callout) {
    constexpr double kFirstLine = 42, kBothLines = 60;
    const SelectionState& s = scene_.state.selection;
    const BufferId refused{s.primary->kind == ItemKind::Buffer ? s.primary->index : s.twins.front().index};
    const QString name = fromStd(d_.plan->buffer(refused).name);
    const double wide = width(name, TextStyle::SmallStrong);
    const double top = std::max(rect.top(), layout_.yOf(static_cast<double>(d_.usable)));
    const QRectF words(rect.left() + 6, top + kFirstLine - 12, wide, kBothLines - kFirstLine + 12);
    const double bottom = std::min(rect.bottom(), layout_.plot.bottom());
    if (wide + 8 >= rect.width() || bottom - top <= kBothLines || words.intersects(callout)) return;
    textAt(QPointF(words.left(), top + kFirstLine), name, TextStyle::SmallStrong, Token::Text1);
    textAt(QPointF(words.left(), top + kFirstLine + 14), QStringLiteral("ghost"), TextStyle::Small, Token::Text2);
}

/// The place nearest to the wanted one where it covers no words, as far as the plot has such a place.
QRectF GanttGhostPainter::clearOfWords(QRectF box, double lowest) const {
    std::vector<QRectF> words = leaderWords_;
    words.insert(words.end(), picture_.bandWords.begin(), picture_.bandWords.end());
    words.push_back(picture_.limitWords);
    const double wanted = box.top(), highest = layout_.plot.top() + 4;
    std::vector<double> tops{wanted};
    for (const QRectF& w : words) {
        tops.push_back(w.bottom() + 4);
        tops.push_back(w.top() - 4 - box.height());
    }
    std::ranges::stable_sort(tops, {}, [wanted](double top) { return std::abs(top - wanted); });
    for (const double top : tops) {
        if (top < highest || top > lowest) continue;
        box.moveTop(top);
        if (std::ranges::none_of(words, [&](const QRectF& w) { return w.intersects(box); })) return box;
    }
    box.moveTop(wanted);
    return box;
}

QRectF GanttGhostPainter::ghostCallout(const GhostPlace& g, const QRectF& rect) {
    const QString head = g.shortBy == 0 ? QStringLiteral("would fit at %1").arg(groupedText(g.address))
                         : g.overLimit  ? QStringLiteral("%1 over the limit").arg(exactBytes(g.shortBy))
                                        : QStringLiteral("%1 too large for the gap").arg(exactBytes(g.shortBy));
    constexpr double kRoomForAll = 108;  // a low plot has room for the first line only; the inspector has all
    const bool isLow = layout_.plot.height() < kRoomForAll;
    const QStringList lines = isLow ? QStringList() : ghostLines(g);
    double wide = width(head, TextStyle::SmallStrong);
    for (const QString& line : lines)
        wide = std::max(wide, width(line, TextStyle::Small));
    const QRectF& plot = layout_.plot;
    QRectF box(rect.right() + 24, 0, wide + 22, 29 + 17 * static_cast<double>(lines.size()) - (isLow ? 3 : 0));
    if (box.right() > plot.right()) box.moveLeft(rect.left() - 24 - box.width());
    if (box.left() < plot.left()) box.moveLeft(std::max(plot.left(), plot.right() - box.width()));
    // What is too large points at the part over its gap, what would fit at the place it would have.
    const bool isOver = g.shortBy > 0;
    const double overTop = layout_.yOf(static_cast<double>(g.address + g.gap));
    const double from = std::clamp(isOver ? overTop - 4 : rect.center().y(), plot.top(), plot.bottom());
    box.moveTop(isOver ? overTop + 12 : std::min({rect.top(), from, roofOver(box)}) - 12 - box.height());
    const double lowest = std::max(plot.top() + 4, plot.bottom() - box.height() - 4);
    box.moveTop(std::clamp(box.top(), plot.top() + 4, lowest));
    box = clearOfWords(box, lowest);
    p_.setPen(color(isOver ? Token::Error : Token::SelectOutline));
    const double end = from < box.top() ? box.top() + 6 : box.bottom() - 6;
    if (box.left() > rect.right()) {
        const double turn = std::min(std::max(rect.right() + 12, box.left()), box.right() - 6);
        p_.drawPolyline(QPolygonF{{rect.right(), from}, {turn, from}, {turn, end}});
    } else if (box.right() < rect.left()) {
        const double turn = std::max(std::min(rect.left() - 12, box.right()), box.left() + 6);
        p_.drawPolyline(QPolygonF{{rect.left(), from}, {turn, from}, {turn, end}});
    }
    p_.setRenderHint(QPainter::Antialiasing);
    p_.setPen(color(Token::Line1));
    p_.setBrush(color(Token::BgRaised));
    p_.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    p_.setRenderHint(QPainter::Antialiasing, false);
    double y = box.top() + 17;
    textAt(QPointF(box.left() + 10, y), head, TextStyle::SmallStrong, g.shortBy > 0 ? Token::Error : Token::Text1);
    for (const QString& line : lines)
        textAt(QPointF(box.left() + 10, y += 17), line, TextStyle::Small, Token::Text2);
    return box;
}

/// Top of the highest rectangle within the width of `box`: words above it cover nothing.
double GanttGhostPainter::roofOver(const QRectF& box) const {
    double roof = layout_.plot.bottom();
    const auto visit = [&](const GanttItem& item) {
        const QRectF r = layout_.itemRect(item);
        if (r.right() > box.left() - 4 && r.left() < box.right() + 4) roof = std::min(roof, r.top());
    };
    for (const GanttItem& item : d_.longItems)
        visit(item);
    const double begin = layout_.x.toValue(box.left() - layout_.plot.left());
    const double end = layout_.x.toValue(box.right() - layout_.plot.left());
    const auto [first, last] = visibleItems(d_, begin, end);
    for (std::size_t i = first; i < last; ++i)
        visit(d_.items[i]);
    return roof;
}

void GanttGhostPainter::blockerLeaders(const GhostPlace& g) {
    leaderWords_.clear();
    for (const BufferId id : g.blockers) {
        for (const auto* list : {&d_.items, &d_.longItems})
            for (const GanttItem& item : *list) {
                if (item.buffer != id) continue;
                const QRectF r = layout_.itemRect(item);
                const QString name = QStringLiteral("blocked by %1").arg(fromStd(d_.plan->buffer(id).name));
                const QString where =
                    QStringLiteral("%1 to %2").arg(groupedText(item.address), groupedText(item.address + item.size));
                const double nameWidth = width(name, TextStyle::SmallStrong), x = r.right() + 16, y = r.center().y();
                if (!layout_.plot.contains(QPointF(x + nameWidth, y))) continue;
                p_.setPen(color(Token::Error));
                p_.drawLine(QPointF(r.right(), y), QPointF(x - 2, y));
                plateText(QPointF(x + 2, y + 4), name, TextStyle::SmallStrong, color(Token::Error));
                leaderWords_.emplace_back(x, y - 8, nameWidth + 4, 16);
                const double at = x + 2 + nameWidth + 8;
                if (!layout_.plot.contains(QPointF(at + width(where, TextStyle::Small), y))) continue;
                plateText(QPointF(at, y + 4), where, TextStyle::Small, color(Token::Text2));
                leaderWords_.back().setRight(at + width(where, TextStyle::Small) + 2);
            }
    }
}

void GanttGhostPainter::drag() {
    if (!scene_.state.drag) return;
    const GanttDrag& g = *scene_.state.drag;
    const bool bad = g.overLimit || !g.conflicts.empty();
    const QRectF full = layout_.rectOf(g.life.begin, g.life.end, static_cast<double>(g.address),
                                       static_cast<double>(std::max<Bytes>(g.size, 1)));
    const QRectF r = full.height() < 2 ? full.adjusted(0, -1, 0, 1) : full;
    const QColor ink = color(bad ? Token::Error : Token::SelectOutline);
    p_.save();
    p_.setClipRect(layout_.plot.adjusted(-2, -2, 2, 2));
    if (!g.isLimit) {
        QPen dashed(ink, 1.5);
        dashed.setDashPattern({6 / 1.5, 4 / 1.5});
        p_.setPen(dashed);
        p_.setBrush(Theme::withAlpha(ink, 0.10));
        p_.drawRect(r);
    } else {
        // "At or below": a bar at the highest allowed start and the room under it.
        const double y = layout_.yOf(static_cast<double>(g.address));
        const double zero = layout_.yOf(0);
        p_.fillRect(QRectF(QPointF(r.left(), std::min(y, zero)), QPointF(r.right(), std::max(y, zero))),
                    Theme::withAlpha(ink, 0.10));
        p_.setPen(QPen(ink, 2));
        p_.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
    }
    PatternInk hatch = errorHatch(theme_);
    hatch.inkOpacity = 1.0;
    for (const BufferId id : g.conflicts) {
        const GanttItem* item = itemOf(d_, id);
        if (item == nullptr) continue;
        const QRectF over = layout_.itemRect(*item).intersected(r);
        if (!over.isEmpty()) fillPattern(p_, over, hatch);
    }
    p_.restore();
    dragCallout(g, r);
}

void GanttGhostPainter::dragCallout(const GanttDrag& g, const QRectF& rect) {
    const Units& units = scene_.state.units;
    const QString name = fromStd(d_.plan->buffer(g.buffer).name);
    const QString where =
        g.isLimit
            ? QStringLiteral("%1 at or below %2").arg(name, units.address(g.address))
            : QStringLiteral("%1 at %2 to %3").arg(name, units.address(g.address), units.address(g.address + g.size));
    QStringList names;
    for (const BufferId id : g.conflicts)
        if (names.size() < 3) names << fromStd(d_.plan->buffer(id).name);
    const auto more = static_cast<qsizetype>(g.conflicts.size()) - names.size();
    QString conflict = names.isEmpty() ? QString() : QStringLiteral("over %1").arg(names.join(QStringLiteral(", ")));
    if (more > 0) conflict += QStringLiteral(" and %1 more").arg(more);
    if (g.overLimit)
        conflict = QStringLiteral("larger than the usable memory by %1").arg(exactBytes(g.size - d_.usable));
    const double wide = std::max(width(where, TextStyle::SmallStrong), width(conflict, TextStyle::Small));
    const double x = std::clamp(rect.center().x() - wide / 2, layout_.plot.left() + 4,
                                std::max(layout_.plot.left() + 4, layout_.plot.right() - wide - 4));
    const double lines = conflict.isEmpty() ? 16 : 32;
    double y = rect.top() - lines + 8;
    if (y < layout_.plot.top() + 14) y = std::min(rect.bottom() + 16, layout_.plot.bottom() - lines + 8);
    plateText(QPointF(x, y), where, TextStyle::SmallStrong, color(Token::Text1));
    if (!conflict.isEmpty()) plateText(QPointF(x, y + 16), conflict, TextStyle::Small, color(Token::Error));
}

}  // namespace memplan::ui

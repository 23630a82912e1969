// SPDX-License-Identifier: GPL-3.0-or-later
// Selection, hypothetical rectangle of a refused buffer, range and time cursor (design-system 8).
#include "widgets/kit/theme/svg_device.h"
#include "widgets/views/gantt/gantt_painter.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

void GanttPainter::outlineItem(const QRectF& rect, ItemId id) {
    const SelectionState& s = scene_.state.selection;
    const QRectF r = rect.intersected(layout_.plot.adjusted(-4, -4, 4, 4));
    if (r.isEmpty() && r.width() <= 0) return;
    p_.setBrush(Qt::NoBrush);
    if (s.isSelected(id)) {
        p_.setPen(QPen(color(Token::BgCanvas), 4, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        p_.drawRect(r.adjusted(-1, -1, 1, 1));
        p_.setPen(QPen(color(Token::SelectOutline), 2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        p_.drawRect(r);
    } else if (s.isRelated(id)) {
        QPen dashed(color(Token::SelectOutline), 1);
        dashed.setDashPattern({3, 2});
        p_.setPen(dashed);
        p_.drawRect(r.adjusted(-1.5, -1.5, 1.5, 1.5));
    } else if (s.isHovered(id)) {
        p_.setPen(color(Token::Text2));
        p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void GanttPainter::selection() {
    const SelectionState& s = scene_.state.selection;
    if (s.items.empty() && !s.hover) return;
    p_.save();
    p_.setClipRect(layout_.plot.adjusted(-3, -3, 3, 3));
    // Related and hovered first: the selected outline lies on top. One pass over the items keeps
    // this linear however large the selection is.
    std::vector<std::pair<QRectF, ItemId>> selected;
    const auto visit = [&](const GanttItem& item) {
        const ItemId id = ItemId::of(item.buffer);
        if (s.isSelected(id))
            selected.emplace_back(layout_.itemRect(item), id);
        else if (s.isHovered(id) || s.isRelated(id))
            outlineItem(layout_.itemRect(item), id);
    };
    for (const GanttItem& item : d_.longItems)
        visit(item);
    const auto [first, last] = visibleItems(d_, layout_.x.visibleBegin(), layout_.x.visibleEnd());
    for (std::size_t i = first; i < last; ++i)
        visit(d_.items[i]);
    for (const auto& [rect, id] : selected)
        outlineItem(rect, id);
    p_.restore();
}

QRectF GanttPainter::ghostRect() const {
    return layout_.rectOf(ghost_->life.begin, ghost_->life.end, static_cast<double>(ghost_->address),
                          static_cast<double>(ghost_->size));
}

void GanttPainter::ghostPlace() {
    if (!ghost_) return;
    const QRectF r = ghostRect().adjusted(1, 1, -1, -1);
    p_.save();
    p_.setClipRect(layout_.plot);
    QPen dashed(color(Token::SelectOutline), 1.5);
    dashed.setDashPattern({6 / 1.5, 4 / 1.5});
    p_.setPen(dashed);
    p_.setBrush(Theme::withAlpha(color(Token::SelectOutline), 0.10));
    p_.drawRect(r);
    if (ghost_->shortBy > 0) {
        const QRectF over =
            layout_
                .rectOf(ghost_->life.begin, ghost_->life.end, static_cast<double>(ghost_->address + ghost_->gap),
                        static_cast<double>(ghost_->shortBy))
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

void GanttPainter::ghostWords() {
    if (!ghost_) return;
    const QRectF full = ghostRect();
    blockerLeaders(*ghost_);
    ghostName(full.adjusted(1, 1, -1, -1), ghostCallout(*ghost_, full));
}

/// The name of the refused buffer in its rectangle, where the callout and the words of the limit leave room for it.
void GanttPainter::ghostName(const QRectF& rect, const QRectF& callout) {
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
QRectF GanttPainter::clearOfWords(QRectF box, double lowest) const {
    std::vector<QRectF> words = leaderWords_;
    words.insert(words.end(), bandWords_.begin(), bandWords_.end());
    words.push_back(limitWords_);
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

QRectF GanttPainter::ghostCallout(const GhostPlace& g, const QRectF& rect) {
    const auto s = static_cast<std::size_t>(std::clamp<Step>(g.life.begin, 0, d_.steps - 1));
    const Bytes free = d_.usable - d_.live[s];
    const QString head = g.shortBy == 0 ? QStringLiteral("would fit at %1").arg(groupedText(g.address))
                         : g.overLimit  ? QStringLiteral("%1 over the limit").arg(exactBytes(g.shortBy))
                                        : QStringLiteral("%1 too large for the gap").arg(exactBytes(g.shortBy));
    constexpr double kRoomForAll = 108;  // a low plot has room for the first line only; the inspector has all
    const bool isLow = layout_.plot.height() < kRoomForAll;
    const QStringList lines =
        isLow ? QStringList()
              : QStringList{QStringLiteral("needs %1").arg(exactBytes(g.size)),
                            QStringLiteral("largest gap %1").arg(exactBytes(g.gap)),
                            QStringLiteral("free %1, frag. %2")
                                .arg(exactBytes(free), percentText(fragmentation(d_.largestFree[s], free)))};
    double wide = width(head, TextStyle::SmallStrong);
    for (const QString& line : lines)
        wide = std::max(wide, width(line, TextStyle::Small));
    const QRectF& plot = layout_.plot;
    QRectF box(rect.right() + 24, 0, wide + 22, isLow ? 26 : 80);
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
double GanttPainter::roofOver(const QRectF& box) const {
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

void GanttPainter::blockerLeaders(const GhostPlace& g) {
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

void GanttPainter::range() {
    const auto& range = scene_.state.selection.range;
    if (!range) return;
    const double left = std::max(layout_.xOf(range->begin), layout_.plot.left());
    const double right = std::min(layout_.xOf(range->end), layout_.plot.right());
    if (right <= left) return;
    const QRectF whole(left, layout_.strip.top(), right - left, layout_.plot.bottom() - layout_.strip.top());
    p_.fillRect(whole, Theme::withAlpha(color(Token::SelectOutline), 0.08));
    p_.setPen(color(Token::SelectOutline));
    p_.drawLine(whole.topLeft(), whole.bottomLeft());
    p_.drawLine(whole.topRight(), whole.bottomRight());
    const QString text = QStringLiteral("steps %1").arg(rangeText(*range));
    // The flag of a note on this range stands where its name would begin.
    const auto& noted = scene_.state.notes->ranges;
    const bool hasFlag = std::ranges::any_of(noted, [&](const auto& r) { return r.steps.begin == range->begin; });
    const double indent = hasFlag ? 6 + kNoteFlagRoom : 6;
    plateText(QPointF(left + indent, layout_.plot.bottom() - 6), text, TextStyle::SmallStrong,
              color(Token::SelectOutline));
}

void GanttPainter::timeCursor() {
    const auto cursor = scene_.state.selection.timeCursor;
    if (!cursor) return;
    const double x = std::round(layout_.xOf(*cursor + 0.5)) + 0.5;
    if (x < layout_.plot.left() || x > layout_.plot.right()) return;
    const std::optional<ItemMark> mark(std::in_place, p_, QStringLiteral("time-cursor"), QString());
    p_.setPen(color(Token::SelectOutline));
    p_.drawLine(QPointF(x, layout_.strip.top()), QPointF(x, layout_.plot.bottom()));
    p_.setRenderHint(QPainter::Antialiasing);
    p_.setPen(Qt::NoPen);
    p_.setBrush(color(Token::SelectOutline));
    const double y = layout_.plot.bottom();
    p_.drawPolygon(QPolygonF{{x - 5, y}, {x + 5, y}, {x, y - 6}});
    p_.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace memplan::ui

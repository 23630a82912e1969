// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_overlay_painter.h"

#include "widgets/kit/vector/svg_device.h"
#include "widgets/views/gantt/look/gantt_overlay.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kDisc = 8, kHead = 6, kSmallest = 18;

}  // namespace

void GanttOverlayPainter::otherOutlines() {
    if (!scene_.state.overlay) return;
    QPen dashed(color(Token::Text2), 1.2);
    dashed.setDashPattern({4, 2.5});
    p_.save();
    p_.setClipRect(layout_.plot);
    p_.setBrush(Qt::NoBrush);
    p_.setPen(dashed);
    for (const GanttOverlay::Outline& o : scene_.state.overlay->outlines) {
        const QRectF r = layout_.rectOf(o.life.begin, o.life.end, static_cast<double>(o.address),
                                        static_cast<double>(std::max<Bytes>(o.size, 1)));
        if (!r.intersects(layout_.plot)) continue;
        p_.drawRect(r.adjusted(1.5, 1.5, -1.5, -1.5).normalized());
    }
    p_.restore();
}

/// From the middle of the old place to that of the new one, at the middle of the lifetime.
void GanttOverlayPainter::moveArrows() {
    if (!scene_.state.overlay) return;
    p_.save();
    p_.setClipRect(layout_.plot);
    p_.setRenderHint(QPainter::Antialiasing);
    const QColor ink = color(Token::SelectOutline);
    for (const GanttOverlay::Arrow& a : scene_.state.overlay->arrows) {
        const double x = (layout_.xOf(a.life.begin) + layout_.xOf(a.life.end)) / 2;
        const double from = layout_.yOf(a.from), to = layout_.yOf(a.to);
        if (x < layout_.plot.left() || x > layout_.plot.right() || std::abs(to - from) < kHead) continue;
        const double head = to > from ? -kHead : kHead;
        p_.setPen(QPen(color(Token::BgCanvas), 4));
        p_.drawLine(QPointF(x, from), QPointF(x, to));
        p_.setPen(QPen(ink, 1.5));
        p_.drawLine(QPointF(x, from), QPointF(x, to + head / 2));
        p_.setPen(Qt::NoPen);
        p_.setBrush(ink);
        p_.drawEllipse(QPointF(x, from), 2.5, 2.5);
        p_.drawPolygon(QPolygonF{{x, to}, {x - kHead * 0.6, to + head}, {x + kHead * 0.6, to + head}});
    }
    p_.restore();
}

/// A sign in a disc at the right end of what came on chip, and of the outline of what left it.
void GanttOverlayPainter::changeSigns() {
    if (!scene_.state.overlay || !scene_.state.overlay->marks) return;
    const GanttOverlay& o = *scene_.state.overlay;
    p_.save();
    p_.setClipRect(layout_.plot);
    p_.setRenderHint(QPainter::Antialiasing);
    const auto sign = [&](const QRectF& rect, bool plus) {
        const QRectF seen = rect.intersected(layout_.plot);
        if (seen.width() < kSmallest || seen.height() < kSmallest) return;
        // In the upper corner: the middle of an edge may carry the disc of a hand-over.
        const QPointF at(seen.right() - kDisc - 4, std::min(seen.center().y(), seen.top() + kDisc + 4));
        const QColor ground = color(plus ? Token::Good : Token::Error);
        p_.setPen(QPen(color(Token::BgCanvas), 1.5));
        p_.setBrush(ground);
        p_.drawEllipse(at, kDisc, kDisc);
        p_.setPen(QPen(color(Token::BgCanvas), 2, Qt::SolidLine, Qt::RoundCap));
        p_.drawLine(at - QPointF(4, 0), at + QPointF(4, 0));
        if (plus) p_.drawLine(at - QPointF(0, 4), at + QPointF(0, 4));
    };
    for (const GanttShown& s : picture_.shown)
        if (s.item->buffer.at() < o.classOf.size() && o.classOf[s.item->buffer.at()] == GanttOverlay::Class::Arrived)
            sign(s.rect, true);
    for (const GanttOverlay::Outline& x : o.outlines)
        if (x.left)
            sign(layout_.rectOf(x.life.begin, x.life.end, static_cast<double>(x.address), static_cast<double>(x.size)),
                 false);
    p_.restore();
}

void GanttOverlayPainter::outlineItem(const QRectF& rect, ItemId id) {
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

void GanttOverlayPainter::selection() {
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
    forItemsInSight(visit);
    for (const auto& [rect, id] : selected)
        outlineItem(rect, id);
    p_.restore();
}

void GanttOverlayPainter::range() {
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

void GanttOverlayPainter::timeCursor() {
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

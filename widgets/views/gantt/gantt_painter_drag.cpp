// SPDX-License-Identifier: GPL-3.0-or-later
// The ghost of a drag: where the buffer would stand, red over a conflict that it names
// (user-experience 7.8, design-system 8.4).
#include "widgets/canvas/hint_sign.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/views/gantt/gantt_painter.h"

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

/// A pin or a bulb in the upper right corner of what a hint names.
void GanttPainter::hintMarks() {
    if (scene_.state.hinted.empty()) return;
    for (const Shown& s : shown_) {
        const QRectF seen = s.rect.intersected(layout_.plot);
        if (seen.width() < 26 || seen.height() < 16) continue;
        if (!std::ranges::binary_search(scene_.state.hinted, s.item->buffer)) continue;
        const QRectF plate(seen.right() - 18, seen.top() + 2, 16, 14);
        drawPlate(p_, plate, theme_);
        const bool isPin = std::ranges::binary_search(scene_.state.pinned, s.item->buffer);
        drawIcon(p_, plate.adjusted(2, 1, -2, -1), hintSignName(isPin), color(Token::Text1));
    }
}

void GanttPainter::drag() {
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

void GanttPainter::dragCallout(const GanttDrag& g, const QRectF& rect) {
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

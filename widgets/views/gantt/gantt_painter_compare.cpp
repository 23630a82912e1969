// SPDX-License-Identifier: GPL-3.0-or-later
// The other plan over the picture: outlines, arrows of moves, plus and minus (design-system 8, picture i).
#include "widgets/views/gantt/gantt_overlay.h"
#include "widgets/views/gantt/gantt_painter.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kDisc = 8, kHead = 6, kSmallest = 18;

}  // namespace

void GanttPainter::otherOutlines() {
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
void GanttPainter::moveArrows() {
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
void GanttPainter::changeSigns() {
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
    for (const Shown& s : shown_)
        if (s.item->buffer.at() < o.classOf.size() && o.classOf[s.item->buffer.at()] == GanttOverlay::Class::Arrived)
            sign(s.rect, true);
    for (const GanttOverlay::Outline& x : o.outlines)
        if (x.left)
            sign(layout_.rectOf(x.life.begin, x.life.end, static_cast<double>(x.address), static_cast<double>(x.size)),
                 false);
    p_.restore();
}

}  // namespace memplan::ui

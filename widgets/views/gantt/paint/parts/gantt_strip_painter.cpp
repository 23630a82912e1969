// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_strip_painter.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

void GanttStripPainter::strip() {
    const QRectF& s = layout_.strip;
    if (d_.steps == 0 || s.height() < 1) return;
    stripCurve();
    QPen dashed(color(Token::Error), 1);
    dashed.setDashPattern({5, 3});
    p_.setPen(dashed);
    const double y = crisp(layout_.stripY(d_, d_.usable));
    p_.drawLine(QPointF(s.left(), y), QPointF(s.right(), y));
    peakMarker();
    constexpr double kTwoLines = 28;
    if (s.height() < kTwoLines)
        return textRight(QPointF(s.left() - 6, s.center().y() + 4), QStringLiteral("live bytes"), TextStyle::Small,
                         Token::Text3);
    textRight(QPointF(s.left() - 6, s.top() + 8), QStringLiteral("live"), TextStyle::Small, Token::Text3);
    textRight(QPointF(s.left() - 6, s.bottom() - 2), QStringLiteral("bytes"), TextStyle::Small, Token::Text3);
}

void GanttStripPainter::stripCurve() {
    const QRectF& s = layout_.strip;
    const auto first =
        static_cast<Step>(std::clamp(std::floor(layout_.x.visibleBegin()), 0.0, static_cast<double>(d_.steps)));
    const auto last =
        static_cast<Step>(std::clamp(std::ceil(layout_.x.visibleEnd()), 0.0, static_cast<double>(d_.steps)));
    const QColor fill = Theme::mix(color(Token::Accent), color(Token::BgCanvas), 0.22);
    p_.save();
    p_.setClipRect(s.adjusted(0, -12, 1, 1));
    if (last - first > static_cast<Step>(s.width()) / 4) {
        // One line per pixel column from its largest value; a maximum is never skipped (A.5).
        for (int px = 0; px < static_cast<int>(s.width()); ++px) {
            const auto a = std::clamp<Step>(static_cast<Step>(layout_.x.toValue(px)), 0, d_.steps - 1);
            const auto b = std::clamp<Step>(static_cast<Step>(std::ceil(layout_.x.toValue(px + 1.0))), a + 1, d_.steps);
            const auto from = d_.use.begin() + a, to = d_.use.begin() + b;
            const Bytes high = std::ranges::max_element(from, to, {}, &MemoryUse::live)->live;
            const Bytes free = std::ranges::min_element(from, to, {}, &MemoryUse::largestFree)->largestFree;
            const double x = s.left() + px, y = layout_.stripY(d_, high);
            p_.fillRect(QRectF(x, y, 1, s.bottom() - y), fill);
            p_.fillRect(QRectF(x, y, 1, 1), color(Token::Accent));
            p_.fillRect(QRectF(x, layout_.stripY(d_, free), 1, 1), color(Token::Text3));
        }
        p_.restore();
        return;
    }
    QPolygonF curve, area, free;
    for (Step t = first; t < last; ++t) {
        const MemoryUse& use = d_.useAt(t);
        const double x0 = crisp(layout_.xOf(t)), x1 = crisp(layout_.xOf(t + 1));
        const double y = crisp(layout_.stripY(d_, use.live)), f = crisp(layout_.stripY(d_, use.largestFree));
        curve << QPointF(x0, y) << QPointF(x1, y);
        free << QPointF(x0, f) << QPointF(x1, f);
    }
    if (!curve.isEmpty()) {
        area = curve;
        area << QPointF(curve.last().x(), crisp(s.bottom())) << QPointF(curve.first().x(), crisp(s.bottom()));
        p_.setPen(QPen(color(Token::Accent), 1.2));
        p_.setBrush(fill);
        p_.drawPolygon(area);
        p_.setBrush(Qt::NoBrush);
        p_.setPen(color(Token::Text3));
        p_.drawPolyline(free);
    }
    p_.restore();
}

void GanttStripPainter::peakMarker() {
    const PeakUse& peak = d_.peak;
    if (peak.live <= 0) return;
    const QRectF& s = layout_.strip;
    const double x = layout_.xOf(peak.liveStep + 0.5), y = layout_.stripY(d_, peak.live);
    const bool same = peak.top == peak.live;
    const QString bytes = exactBytes(peak.live), word = QLatin1String(same ? "peak " : "most live bytes ");
    const QString text =
        fitting({word + bytes + QStringLiteral(" at step ") + groupedText(peak.liveStep), word + bytes, bytes},
                TextStyle::SmallStrong, s.width() - 4);
    const double wide = width(text, TextStyle::SmallStrong);
    if (x >= s.left() && x <= s.right()) {
        p_.setRenderHint(QPainter::Antialiasing);
        p_.setPen(Qt::NoPen);
        p_.setBrush(color(Token::Text1));
        p_.drawPolygon(QPolygonF{{x - 4, y - 6}, {x + 4, y - 6}, {x, y - 1}});
        p_.setRenderHint(QPainter::Antialiasing, false);
    }
    double left = std::clamp(x, s.left(), s.right()) + 12;
    if (left + wide > s.right()) left = s.right() - wide - 4;
    if (!text.isEmpty())
        plateText(QPointF(std::max(s.left(), left), s.top() - 1), text, TextStyle::SmallStrong, color(Token::Text1));
}

void GanttStripPainter::histogram() {
    const QRectF& h = layout_.hist;
    const auto rows = static_cast<double>(d_.histogram.size());
    if (d_.histogram.empty() || d_.top <= 0) return;
    const QColor ink = Theme::mix(color(Token::Text3), color(Token::BgCanvas), 0.55);
    for (double y = h.top(); y + 4 <= h.bottom(); y += 4) {
        const double a = layout_.addressAt(y + 3);
        const double row = a / static_cast<double>(d_.top) * rows;
        if (row < 0 || row >= rows) continue;
        const double share = d_.histogram[static_cast<std::size_t>(row)];
        if (share > 0) p_.fillRect(QRectF(h.left(), y, std::max(1.0, h.width() * share), 3), ink);
    }
}

/// The outline of a selected loop, dashed for one around or inside it, thin under the pointer (2.4).
void GanttStripPainter::loopMark(const QRectF& r, int loop) {
    const ItemId id{ItemKind::Loop, loop};
    const SelectionState& s = scene_.state.selection;
    const bool isSelected = s.isSelected(id);
    if (!isSelected && !s.isRelated(id) && !s.isHovered(id)) return;
    QPen pen(color(isSelected || s.isRelated(id) ? Token::SelectOutline : Token::Text2), isSelected ? 2 : 1);
    if (!isSelected && s.isRelated(id)) pen.setDashPattern({3, 2});
    p_.setPen(pen);
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(r.adjusted(isSelected ? 1 : 0.5, isSelected ? 1 : 0.5, -1, -1));
}

void GanttStripPainter::loopBands() {
    const QRectF& band = layout_.loops;
    for (const StepRun& run : d_.loops) {
        const double left = std::max(layout_.xOf(run.steps.begin), band.left());
        const double right = std::min(layout_.xOf(run.steps.end), band.right());
        if (right - left < 2) continue;
        const QRectF row = layout_.loopRow(run.level);
        const QRectF r(left, row.top() + 1, right - left, row.height() - 2);
        p_.fillRect(r, color(Token::InfoBg));
        p_.fillRect(QRectF(r.left(), r.bottom() - 1, r.width(), 1), color(Token::Accent));
        const QString text = QString::fromStdString(run.count.empty() ? run.text : run.text + ' ' + run.count);
        const QString shown = scene_.text.elided(text, TextStyle::Small, theme_, r.width() - 8);
        textAt(QPointF(r.left() + 4, r.bottom() - 4), shown, TextStyle::Small, Token::Text2);  // clear of the line
        loopMark(r, run.loop);
    }
}

}  // namespace memplan::ui

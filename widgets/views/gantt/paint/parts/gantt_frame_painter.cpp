// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_frame_painter.h"

#include "widgets/views/gantt/geometry/address_ticks.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kStickBytes = 128;
constexpr double kLimitWords = 18;  ///< height that the words of the usable limit take

}  // namespace

void GanttFramePainter::grid() {
    p_.setPen(color(Token::LineGrid));
    const QRectF& plot = layout_.plot;
    const double step = layout_.x.scale >= 6 ? 1 : niceStep(60 / layout_.x.scale, TickBase::Decimal);
    const double begin = std::ceil(std::max(0.0, layout_.x.visibleBegin()) / step) * step;
    for (double t = begin; t <= std::min<double>(d_.steps, layout_.x.visibleEnd()); t += step)
        p_.drawLine(QPointF(crisp(layout_.xOf(t)), plot.top()), QPointF(crisp(layout_.xOf(t)), plot.bottom()));
    for (const double a : addressTicks(layout_, scene_.state.units, 40))
        p_.drawLine(QPointF(plot.left(), crisp(layout_.yOf(a))), QPointF(plot.right(), crisp(layout_.yOf(a))));
    stickGrid();
}

void GanttFramePainter::stickGrid() {
    if (layout_.y.scale * kStickBytes < 4) return;
    const double first = std::floor(std::max(0.0, layout_.y.visibleBegin()) / kStickBytes) * kStickBytes;
    const double end = layout_.fold.isFolded() ? layout_.fold.begin : static_cast<double>(d_.physical);
    for (double a = first; a <= layout_.y.visibleEnd() && a <= end; a += kStickBytes)
        p_.drawLine(QPointF(layout_.plot.left(), crisp(layout_.yOf(a))),
                    QPointF(layout_.plot.right(), crisp(layout_.yOf(a))));
}

/// Two torn edges over the addresses that are drawn short, and what was left out.
void GanttFramePainter::foldMark() {
    const AddressFold& fold = layout_.fold;
    const QRectF& plot = layout_.plot;
    if (!fold.isFolded() || plot.height() < 1) return;
    const double edges[] = {layout_.yOf(fold.begin), layout_.yOf(fold.end)};
    const double top = std::min(edges[0], edges[1]), bottom = std::max(edges[0], edges[1]);
    if (bottom <= plot.top() || top >= plot.bottom()) return;
    constexpr double kTooth = 5, kDepth = 2;
    const double depth = std::min(kDepth, (bottom - top) / 4);
    p_.save();
    p_.setClipRect(plot.adjusted(-1, 0, 1, 0));
    p_.fillRect(QRectF(plot.left(), top, plot.width(), bottom - top), color(Token::BgPanel));
    p_.setRenderHint(QPainter::Antialiasing);
    p_.setPen(QPen(color(Token::LineControl), 1));
    p_.setBrush(Qt::NoBrush);
    const double clear = std::min(3.0, (bottom - top) / 8);  // of the limit's line
    for (const double y : {top + depth + (layout_.down ? 0 : clear), bottom - depth - (layout_.down ? clear : 0)}) {
        QPolygonF teeth;
        int i = 0;
        for (double x = plot.left(); x <= plot.right() + kTooth; x += kTooth)
            teeth << QPointF(x, y + (i++ % 2 == 0 ? -depth : depth));
        p_.drawPolyline(teeth);
    }
    p_.restore();
    foldWords(top, bottom);
}

/// In the middle of the band, or left of the words of the usable limit where these stand in it.
void GanttFramePainter::foldWords(double top, double bottom) {
    const QRectF& plot = layout_.plot;
    constexpr double kWords = 18, kInset = 12;
    if (bottom - top < kWords) return;
    const double middle = std::clamp((top + bottom) / 2, plot.top(), plot.bottom());
    const QRectF line(plot.left() + kInset, middle - kWords / 2, plot.width() - 2 * kInset, kWords);
    const double right = line.intersects(picture_.limitWords) ? picture_.limitWords.left() - kInset : line.right();
    const QString bytes = exactBytes(static_cast<Bytes>(layout_.fold.end - layout_.fold.begin));
    const QString text = fitting({QStringLiteral("%1 that nothing uses, drawn short").arg(bytes),
                                  QStringLiteral("%1 drawn short").arg(bytes), bytes},
                                 TextStyle::Small, right - line.left());
    if (text.isEmpty()) return;
    const double half = width(text, TextStyle::Small) / 2;
    const double centre = std::min(plot.center().x(), right - half);
    picture_.bandWords.emplace_back(centre - half - 2, middle - 8, 2 * half + 4, 16);
    textCentred(QPointF(centre, middle + 4), text, TextStyle::Small, Token::Text2);
}

void GanttFramePainter::reserved() {
    if (d_.usable >= d_.physical) return;
    const QRectF band = layout_.rectOf(layout_.x.visibleBegin(), layout_.x.visibleEnd(), static_cast<double>(d_.usable),
                                       static_cast<double>(d_.physical - d_.usable));
    const QRectF r =
        QRectF(layout_.plot.left(), band.top(), layout_.plot.width(), band.height()).intersected(layout_.plot);
    if (r.height() < 1) return;
    const PatternInk ink = inkOf(theme_, Residency::Reserved);
    if (r.height() < 8)
        p_.fillRect(r, theme_.residency(Residency::Reserved, Tone::Edge));
    else
        fillPattern(p_, QRectF(r.left(), std::round(r.top()), r.width(), std::round(r.height())), ink);
    const QString share = reservedShare(d_);
    // In a low band the words stand beside those of the capacity, else below them.
    constexpr double kLow = 52;
    const double beside =
        r.width() - width(QStringLiteral("capacity ") + exactBytes(d_.physical), TextStyle::SmallStrong);
    const bool isForBackEnd = !d_.stacked;
    const QString whole = isForBackEnd ? QStringLiteral("reserved for the back end, %1 of %2")
                                       : QStringLiteral("kept free or for constants, %1 of %2");
    const QString brief = isForBackEnd ? QStringLiteral("reserved, back end %1") : QStringLiteral("kept free %1");
    const QString text =
        fitting({whole.arg(share, exactBytes(d_.physical)), brief.arg(share), QStringLiteral("reserved %1").arg(share)},
                TextStyle::Small, r.height() < kLow ? beside - 40 : r.width() * 0.7);
    if (r.height() < 20 || text.isEmpty()) return;
    plateText(QPointF(r.left() + 13, r.center().y() + 4), text, TextStyle::Small, color(Token::Text2));
    picture_.bandWords.emplace_back(r.left() + 11, r.center().y() - 8, width(text, TextStyle::Small) + 4, 16);
}

/// Under the line of the usable limit or over it: on the side of address 0 unless that is too low for words.
bool GanttFramePainter::limitWordsAreBelow() const {
    const double y = layout_.yOf(static_cast<double>(d_.usable));
    return layout_.down ? y - layout_.plot.top() < kLimitWords : layout_.plot.bottom() - y >= kLimitWords;
}

QStringList GanttFramePainter::limitForms() const {
    if (layout_.plot.height() < 2 * kLimitWords) return {};
    const QString bytes = exactBytes(d_.usable);
    QStringList forms{QStringLiteral("usable limit ") + bytes, QStringLiteral("limit ") + bytes, bytes};
    if (d_.usable < d_.physical)
        forms.prepend(QStringLiteral("usable limit %1 (%2 reserved)").arg(bytes, reservedShare(d_)));
    return forms;
}

/// The labels of rectangles keep clear of the words that limitLine() writes over them.
void GanttFramePainter::placeLimitWords() {
    const QRectF& plot = layout_.plot;
    const double y = layout_.yOf(static_cast<double>(d_.usable));
    if (y < plot.top() - 1 || y > plot.bottom() + 1 || limitForms().isEmpty()) return;
    const double wide = width(fitting(limitForms(), TextStyle::SmallStrong, plot.width() - 12), TextStyle::SmallStrong);
    picture_.limitWords = QRectF(plot.right() - wide - 14, limitWordsAreBelow() ? y + 3 : y - 18, wide + 14, 16);
}

void GanttFramePainter::limitLine(Bytes at, const QStringList& forms, const QColor& ink, bool labelBelow) {
    const QRectF& plot = layout_.plot;
    const double y = layout_.yOf(static_cast<double>(at));
    if (y < plot.top() - 1 || y > plot.bottom() + 1) return;
    p_.fillRect(QRectF(plot.left(), std::round(y) - 1, plot.width(), 2), ink);
    const QString text = fitting(forms, TextStyle::SmallStrong, plot.width() - 12);
    if (text.isEmpty()) return;
    const double wide = width(text, TextStyle::SmallStrong) + 10;
    const double baseline = labelBelow ? y + 14.5 : y - 6;
    plateText(QPointF(plot.right() - wide + 1, baseline), text, TextStyle::SmallStrong, ink);
}

void GanttFramePainter::limits() {
    const bool down = layout_.down;
    constexpr double kWords = 16;  // height that the words of a line take
    const double band =
        std::abs(layout_.yOf(static_cast<double>(d_.physical)) - layout_.yOf(static_cast<double>(d_.usable)));
    if (d_.usable < d_.physical)
        limitLine(d_.physical,
                  band < kWords
                      ? QStringList()
                      : QStringList{QStringLiteral("capacity ") + exactBytes(d_.physical), exactBytes(d_.physical)},
                  color(Token::Text2), !down);
    limitLine(d_.usable, limitForms(), color(Token::Error), limitWordsAreBelow());
}

void GanttFramePainter::emptyWords() {
    if (!scene_.empty) return;
    const QPointF middle = layout_.roomBelow(d_.usable).center();
    const QString sentence =
        scene_.text.elided(scene_.empty->sentence, TextStyle::Body, theme_, layout_.plot.width() - 16);
    const double wide = width(sentence, TextStyle::Body);
    p_.fillRect(QRectF(middle.x() - wide / 2 - 6, middle.y() - 12, wide + 12, 20), color(Token::BgCanvas));
    textCentred(middle + QPointF(0, 3), sentence, TextStyle::Body, Token::Text1);
}

void GanttFramePainter::axes() {
    const QRectF& plot = layout_.plot;
    p_.setPen(color(Token::LineControl));
    p_.drawLine(QPointF(plot.left(), crisp(plot.bottom() - 1)), QPointF(plot.right(), crisp(plot.bottom() - 1)));
    p_.drawLine(QPointF(crisp(plot.left() - 1), plot.top()), QPointF(crisp(plot.left() - 1), plot.bottom()));
    constexpr double kRoom = 56;
    const std::vector<double> ticks = addressTicks(layout_, scene_.state.units, 40);
    const bool fit = std::ranges::all_of(
        ticks, [&](double a) { return width(addressLabel(a, scene_.state.units), TextStyle::Small) <= kRoom; });
    for (const double a : ticks)
        textRight(QPointF(58, layout_.yOf(a) + 4), addressLabel(a, scene_.state.units),
                  fit ? TextStyle::Small : TextStyle::Tiny, Token::Text2);
    // A long number reaches out of the plot on the left: the axis' word gives way.
    const double word = std::min(plot.left() - 8, stepLabels() - 6);
    textRight(QPointF(word, plot.bottom() + 14), QStringLiteral("step"), TextStyle::Small, Token::Text3);
}

double GanttFramePainter::stepLabels() {
    double first = layout_.plot.right();
    if (d_.steps == 0) return first;
    const double y = layout_.plot.bottom() + 14;
    Axis steps = layout_.x;
    steps.contentEnd = d_.steps - 1;
    for (const double t : niceTicks(steps, 60, TickBase::Decimal)) {
        const double x = layout_.xOf(t + 0.5);
        if (x < layout_.plot.left() || x > layout_.plot.right()) continue;
        const QString text = groupedText(static_cast<qint64>(t));
        const double half = width(text, TextStyle::Small) / 2;
        const double centre = std::min(x, picture_.size.width() - 2 - half);
        textCentred(QPointF(centre, y), text, TextStyle::Small, Token::Text2);
        first = std::min(first, centre - half);
    }
    if (layout_.x.scale < 44 || !d_.plan)
        groupLabels();
    else
        opLabels();
    return first;
}

void GanttFramePainter::opLabels() {
    const double y = layout_.plot.bottom() + 14;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(layout_.x.visibleBegin())));
    for (std::size_t i = first; i < d_.plan->ops.size() && static_cast<double>(i) < layout_.x.visibleEnd(); ++i) {
        const double x = layout_.xOf(static_cast<double>(i) + 0.5);
        if (x < layout_.plot.left() || x > layout_.plot.right()) continue;
        const QString name =
            scene_.text.elided(fromStd(d_.plan->ops[i].name), TextStyle::Small, theme_, layout_.x.scale - 6);
        textCentred(QPointF(x, y + 14), name, TextStyle::Small, Token::Text3);
    }
}

void GanttFramePainter::groupLabels() {
    const double y = layout_.plot.bottom();
    for (const StepRun& run : d_.groups) {
        const double left = std::max(layout_.xOf(run.steps.begin) + 2, layout_.plot.left());
        const double right = std::min(layout_.xOf(run.steps.end) - 2, layout_.plot.right());
        const QString name =
            scene_.text.elided(QString::fromStdString(run.text), TextStyle::Small, theme_, right - left);
        constexpr double kLeast = 20;
        if (right - left < kLeast || name.isEmpty()) continue;  // a line without a name says nothing
        p_.setPen(color(Token::LineControl));
        p_.drawLine(QPointF(left, crisp(y + 20)), QPointF(right, crisp(y + 20)));
        textAt(QPointF(left + 1, y + 33), name, TextStyle::Small, Token::Text3);
    }
}

}  // namespace memplan::ui

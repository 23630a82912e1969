// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/search_chart.h"

#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/units.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

QString searchMeasureText(const SearchTrace& t) {
    if (t.measure == "pinned_bytes") return SearchChart::tr("Bytes on chip, per core");
    if (t.measure == "saved_traffic_bytes") return SearchChart::tr("Off-chip bytes saved");
    return SearchChart::tr("Bytes on chip, per core \u00d7 times touched");
}

QString searchValueText(const SearchTrace& t, std::int64_t value) {
    // The annealer counts in halves: a written buffer weighs half a touch more.
    if (t.measure != "quality") return exactBytes(value);
    return groupedText(value / 2);
}

QString searchSentence(const SearchTrace& t) {
    if (t.points.empty()) return {};
    const QString steps = t.plannedSteps > 0
                              ? SearchChart::tr("%1 of %2 %3").arg(groupedText(t.steps), groupedText(t.plannedSteps))
                              : SearchChart::tr("%1 %2").arg(groupedText(t.steps));
    const QString done = steps.arg(fromStd(t.stepUnit));
    if (t.points.size() == 1) return SearchChart::tr("%1 done, nothing better than the first plan was found").arg(done);
    return SearchChart::tr("%1 done, best found after %2, %3 to %4")
        .arg(done, groupedText(t.points.back().step), searchValueText(t, t.points.front().value),
             searchValueText(t, t.points.back().value));
}

SearchChart::SearchChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("searchChart"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SearchChart::setTrace(SearchTrace trace) {
    trace_ = std::move(trace);
    low_ = high_ = 0;
    if (!trace_.points.empty()) {
        low_ = trace_.points.front().value;
        high_ = trace_.points.back().value;
        if (trace_.bound) high_ = std::max(high_, *trace_.bound);
    }
    setAccessibleName(tr("Best value over the search"));
    setAccessibleDescription(searchMeasureText(trace_) + QStringLiteral(": ") + searchSentence(trace_));
    updateGeometry();
    update();
}

QSize SearchChart::sizeHint() const {
    const Theme& theme = themeOf(this);
    return {theme.px(320), theme.px(116)};
}

QSize SearchChart::minimumSizeHint() const {
    return {themeOf(this).px(180), sizeHint().height()};
}

QRectF SearchChart::plotRect() const {
    const Theme& theme = themeOf(this);
    return QRectF(rect()).adjusted(theme.px(26), theme.px(22), -theme.px(12), -theme.px(20));
}

double SearchChart::xOf(std::int64_t step) const {
    const QRectF plot = plotRect();
    return plot.left() +
           plot.width() * static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(trace_.steps, 1));
}

double SearchChart::yOf(std::int64_t value) const {
    const QRectF plot = plotRect();
    if (high_ == low_) return plot.center().y();
    return plot.bottom() - plot.height() * static_cast<double>(value - low_) / static_cast<double>(high_ - low_);
}

void SearchChart::paintEvent(QPaintEvent*) {
    if (trace_.points.empty()) return;
    QPainter painter(this);
    paintAxes(painter);
    paintBound(painter);
    paintCurve(painter);
}

void SearchChart::paintAxes(QPainter& painter) const {
    const Theme& theme = themeOf(this);
    const QRectF plot = plotRect();
    painter.setFont(theme.font(TextStyle::Small));
    painter.setPen(theme.color(Token::Text2));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QPointF(plot.left(), metrics.ascent() + 2), searchMeasureText(trace_));
    const double below = plot.bottom() + metrics.ascent() + 3;
    painter.drawText(QPointF(plot.left(), below), QStringLiteral("0"));
    const QString last = groupedText(trace_.steps) + u' ' + fromStd(trace_.stepUnit);
    painter.drawText(QPointF(plot.right() - metrics.horizontalAdvance(last), below), last);
    painter.setPen(theme.color(Token::LineControl));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.drawLine(plot.topLeft(), plot.bottomLeft());
}

void SearchChart::paintBound(QPainter& painter) const {
    if (!trace_.bound || high_ == low_) return;
    const Theme& theme = themeOf(this);
    const QRectF plot = plotRect();
    const double y = yOf(*trace_.bound);
    painter.setPen(QPen(theme.color(Token::Text2), 1, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setFont(theme.font(TextStyle::Small));
    const QString text = tr("bound %1").arg(searchValueText(trace_, *trace_.bound));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QPointF(plot.right() - metrics.horizontalAdvance(text), y - 4), text);
}

void SearchChart::paintCurve(QPainter& painter) const {
    const Theme& theme = themeOf(this);
    const QRectF plot = plotRect();
    QPainterPath path(QPointF(xOf(trace_.points.front().step), yOf(trace_.points.front().value)));
    for (const SearchPoint& p : trace_.points) {
        path.lineTo(xOf(p.step), path.currentPosition().y());
        path.lineTo(xOf(p.step), yOf(p.value));
    }
    path.lineTo(plot.right(), path.currentPosition().y());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Token::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setBrush(theme.color(Token::Accent));
    painter.setPen(Qt::NoPen);
    for (const SearchPoint& p : trace_.points)
        painter.drawEllipse(QPointF(xOf(p.step), yOf(p.value)), 2.5, 2.5);
}

bool SearchChart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || trace_.points.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double x = help->pos().x();
    const SearchPoint* at = &trace_.points.front();
    for (const SearchPoint& p : trace_.points)
        if (xOf(p.step) <= x + 3) at = &p;
    QToolTip::showText(
        help->globalPos(),
        tr("after %1 %2: %3").arg(groupedText(at->step), fromStd(trace_.stepUnit), searchValueText(trace_, at->value)),
        this);
    return true;
}

}  // namespace memplan::ui

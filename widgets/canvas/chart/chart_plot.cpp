// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/chart/chart_plot.h"

#include "widgets/kit/theme/patterns.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kBarShare = 0.7;   ///< of a row
constexpr double kLineWidth = 1.5;  ///< at 100 %

/// Lines differ by more than their colour.
Qt::PenStyle lineStyle(std::size_t series) {
    constexpr std::array kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return kStyles[series % kStyles.size()];
}

/// The corners of a stepped line, held until `end`.
std::vector<ChartPoint> stepped(const std::vector<ChartPoint>& points, double end) {
    std::vector<ChartPoint> corners;
    for (const ChartPoint& p : points) {
        if (!corners.empty()) corners.push_back({p.x, corners.back().y, {}});
        corners.push_back(p);
    }
    if (!corners.empty() && corners.back().x < end) corners.push_back({end, corners.back().y, {}});
    return corners;
}

}  // namespace

ChartPlot::ChartPlot(const ChartData& data, const Theme& theme, QSize size)
    : data_(data), places_(data.places()), theme_(theme), size_(size), scene_(std::make_unique<QGraphicsScene>()),
      chart_(new QChart) {
    scene_->addItem(chart_);
    scene_->setSceneRect(QRectF(QPointF(), size));
    chart_->setBackgroundVisible(false);
    chart_->setBackgroundRoundness(0);
    chart_->setDropShadowEnabled(false);
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    QLegend* legend = chart_->legend();
    legend->setAlignment(Qt::AlignTop);
    legend->setFont(theme_.font(TextStyle::Small));
    legend->setLabelColor(theme_.color(Token::Text2));
    legend->setBackgroundVisible(false);
    legend->setMarkerShape(QLegend::MarkerShapeFromSeries);
    legend->setVisible(!isBars() && data_.series.size() > 1);
    chart_->setMargins(margins());
    if (isBars())
        addBars();
    else
        addLines();
    chart_->resize(chartSize());
    chart_->layout()->activate();
}

ChartPlot::~ChartPlot() = default;

/// Long names leave the bars more than half of the width.
double ChartPlot::rowNameWidth() const {
    if (!isBars()) return 0;
    const QFontMetricsF metrics(theme_.font(TextStyle::Small));
    double widest = 0;
    for (const QString& name : data_.labels)
        widest = std::max(widest, metrics.horizontalAdvance(name));
    return std::min(widest, size_.width() * 0.4);
}

/// Room for what stands beside the last tick, behind the longest bar and above a bound.
QMargins ChartPlot::margins() const {
    const QFontMetricsF metrics(theme_.font(TextStyle::Small));
    double besides = 0;
    for (const QString& text : data_.rowTexts)
        besides = std::max(besides, metrics.horizontalAdvance(text));
    const QString last = data_.labels.isEmpty() ? groupedText(qRound64(data_.xEnd)) : QString();
    besides = std::max(besides, metrics.horizontalAdvance(last) / 2);
    const bool hasWords = isBars() ? data_.bound.has_value() : !data_.values.isEmpty();
    const double above = hasWords ? metrics.height() + theme_.px(4) : theme_.px(8);
    return {theme_.px(4) + static_cast<int>(std::ceil(rowNameWidth())), static_cast<int>(std::ceil(above)),
            theme_.px(10) + static_cast<int>(std::ceil(besides)),
            theme_.px(2) + (isBars() ? 2 * static_cast<int>(std::ceil(metrics.height())) : 0)};
}

/// Few rows stay as thick as many.
QSizeF ChartPlot::chartSize() const {
    if (!isBars()) return size_;
    constexpr int kRow = 24, kAxes = 8;
    const QMargins around = margins();
    const int most = theme_.px(static_cast<int>(data_.labels.size()) * kRow + kAxes) + around.top() + around.bottom();
    return {static_cast<double>(size_.width()), static_cast<double>(std::min(size_.height(), most))};
}

QColor ChartPlot::colorOf(const ChartInk& ink) const {
    if (ink.residency) return theme_.residency(*ink.residency, Tone::Edge);
    return ink.category >= 0 ? theme_.category(ink.category) : theme_.color(ink.token);
}

void ChartPlot::addLine(const std::vector<ChartPoint>& points, std::size_t index, bool isNamed) {
    auto* line = new QLineSeries;
    for (const ChartPoint& p : points)
        line->append(p.x, p.y);
    const ChartSeries& s = data_.series[index];
    QPen pen(colorOf(s.ink), kLineWidth * unitOf(theme_), s.ink.category >= 0 ? lineStyle(index) : Qt::SolidLine);
    pen.setJoinStyle(Qt::MiterJoin);
    line->setPen(pen);
    line->setName(s.name);
    chart_->addSeries(line);
    if (first_ == nullptr) first_ = line;
    for (QLegendMarker* marker : chart_->legend()->markers(line))
        marker->setVisible(isNamed);
}

void ChartPlot::addLines() {
    const std::size_t each =
        std::min(kMostLinePoints, kMostChartPoints / std::max<std::size_t>(1, data_.series.size()));
    for (std::size_t i = 0; i < data_.series.size(); ++i) {
        std::vector<ChartPoint> points = thinned(data_.series[i].points, each);
        if (data_.form == ChartData::Form::Steps) points = stepped(points, data_.xEnd);
        bool isNamed = true;
        auto begin = points.begin();
        while (begin != points.end()) {  // a missing figure parts the line
            const auto end = std::find_if(begin, points.end(), [](const ChartPoint& p) { return std::isnan(p.y); });
            if (end != begin) addLine({begin, end}, i, std::exchange(isNamed, false));
            begin = end == points.end() ? end : std::next(end);
        }
    }
    QAbstractAxis* x = placeAxis(size_.width() * 0.8);
    QAbstractAxis* y = valueAxis(size_.height() * 0.7);
    chart_->addAxis(x, Qt::AlignBottom);
    chart_->addAxis(y, Qt::AlignLeft);
    for (QAbstractSeries* s : chart_->series()) {
        s->attachAxis(x);
        s->attachAxis(y);
    }
}

void ChartPlot::addBars() {
    auto* bars = new QHorizontalStackedBarSeries;
    bars->setBarWidth(kBarShare);
    const int rows = static_cast<int>(data_.labels.size());
    for (const ChartSeries& s : data_.series) {
        auto* part = new QBarSet(s.name);
        for (int row = rows - 1; row >= 0; --row) {  // Qt Charts counts from below
            const ChartPoint* p = ChartData::pointAt(s, row);
            part->append(p != nullptr ? p->y : 0);
        }
        part->setBrush(s.isHidden ? QBrush(Qt::NoBrush) : QBrush(colorOf(s.ink)));
        part->setPen(Qt::NoPen);
        bars->append(part);
    }
    chart_->addSeries(bars);
    first_ = bars;
    auto* names = new QBarCategoryAxis;
    QStringList fromBelow = data_.labels;
    std::ranges::reverse(fromBelow);
    names->append(fromBelow);
    setUpAxis(*names, false);
    names->setLabelsVisible(false);  // it shortens them to nothing in low rows
    QAbstractAxis* values = valueAxis(size_.width() * 0.5);
    chart_->addAxis(names, Qt::AlignLeft);
    chart_->addAxis(values, Qt::AlignBottom);
    bars->attachAxis(names);
    bars->attachAxis(values);
}

void ChartPlot::setUpAxis(QAbstractAxis& axis, bool hasGrid) const {
    axis.setLabelsFont(theme_.font(TextStyle::Small));
    axis.setLabelsColor(theme_.color(Token::Text2));
    axis.setTitleFont(theme_.font(TextStyle::Small));
    axis.setTitleBrush(theme_.color(Token::Text3));
    axis.setLinePen(QPen(theme_.color(Token::LineControl), 1));
    axis.setGridLinePen(QPen(theme_.color(Token::LineGrid), 1));
    axis.setGridLineVisible(hasGrid);
    axis.setShadesVisible(false);
}

QAbstractAxis* ChartPlot::valueAxis(double pixels) {
    const auto [low, high] = data_.range();
    const double gap = isBars() ? 0.0 : (high - low) * 0.04;  // a line at the end would hide half under the edge
    Axis axis;
    axis.contentBegin = low;
    axis.contentEnd = high;
    axis.origin = low;
    axis.length = std::max(1.0, pixels);
    axis.scale = axis.length / (high - low);
    const QFontMetricsF metrics(theme_.font(TextStyle::Small));
    const auto words = [&](double v) { return data_.tickText ? data_.tickText(v) : groupedText(qRound64(v)); };
    const double apart =
        isBars() ? std::max(metrics.horizontalAdvance(words(low)), metrics.horizontalAdvance(words(high))) * 1.6
                 : metrics.height() * 2;
    auto* values = new QCategoryAxis;
    values->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    values->setStartValue(low - gap);
    for (const double v : gridTicks(axis, apart, data_.ticks)) {
        values->append(words(v), v);
        ticks_.emplace_back(v, words(v));
    }
    values->setRange(low - (data_.fromZero ? 0 : gap), high + gap);
    values->setLabelsVisible(!isBars());
    setUpAxis(*values, true);
    return values;
}

QAbstractAxis* ChartPlot::placeAxis(double pixels) const {
    auto* axis = new QCategoryAxis;
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    const double last = std::max(places_.empty() ? 0 : places_.back(), data_.xEnd);
    const QFontMetricsF metrics(theme_.font(TextStyle::Small));
    const bool isNamed = !data_.labels.isEmpty();
    const double end = std::max(last, 1.0), margin = isNamed ? 0.3 : 0.0;
    axis->setStartValue(-margin);
    const double scale = pixels / (end + 2 * margin);
    if (isNamed) {
        double free = std::numeric_limits<double>::lowest();
        for (int i = 0; i < data_.labels.size(); ++i) {
            const double half = metrics.horizontalAdvance(data_.labels[i]) / 2 + theme_.px(4);
            if (i * scale - half < free) continue;
            free = i * scale + half;
            axis->append(data_.labels[i], i);
        }
    } else {
        Axis numbers{0, scale, 0, end, pixels};
        for (const double v :
             gridTicks(numbers, metrics.horizontalAdvance(groupedText(qRound64(end))) * 1.8, TickBase::Decimal))
            axis->append(groupedText(qRound64(v)), v);
    }
    axis->setRange(-margin, end + margin);
    axis->setTitleText(data_.along);
    setUpAxis(*axis, false);
    return axis;
}

QRectF ChartPlot::plotArea() const {
    return chart_->plotArea();
}

QPointF ChartPlot::position(double x, double y) const {
    if (first_ == nullptr) return {};
    if (!isBars()) return chart_->mapToPosition({x, y}, first_);
    return chart_->mapToPosition({y, static_cast<double>(data_.labels.size()) - 1 - x}, first_);
}

QRectF ChartPlot::placeRect(double x) const {
    const QRectF area = plotArea();
    if (isBars()) {
        const double top = position(x - 0.5, 0).y(), bottom = position(x + 0.5, 0).y();
        return {0, top, static_cast<double>(size_.width()), bottom - top};
    }
    const double centre = position(x, 0).x(), half = theme_.px(4);
    return {centre - half, area.top(), 2 * half, area.height()};
}

int ChartPlot::placeAt(QPointF at) const {
    if (places_.empty() || !QRectF(QPointF(), size_).contains(at)) return -1;
    int best = -1;
    double distance = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const QRectF rect = placeRect(places_[i]);
        if (isBars()) {
            if (at.y() >= rect.top() && at.y() < rect.bottom()) return static_cast<int>(i);
            continue;
        }
        const double away = std::abs(rect.center().x() - at.x());
        // A stepped line holds until the next step: what is right of the pointer is not so yet.
        const bool isLater = data_.form == ChartData::Form::Steps && i > 0 && rect.center().x() > at.x() + theme_.px(3);
        if (isLater || away >= distance) continue;
        distance = away;
        best = static_cast<int>(i);
    }
    return best;
}

void ChartPlot::paint(QPainter& painter) const {
    if (!data_.hasFigures()) {
        painter.setFont(theme_.font(TextStyle::Body));
        painter.setPen(theme_.color(Token::Text2));
        painter.drawText(QRectF(QPointF(), size_).adjusted(8, 4, -8, -4), Qt::AlignCenter | Qt::TextWordWrap,
                         data_.empty);
        return;
    }
    if (data_.selected >= 0) painter.fillRect(placeRect(data_.selected), theme_.color(Token::BgSelected));
    painter.save();
    if (!isBars()) painter.setRenderHint(QPainter::Antialiasing);
    scene_->render(&painter, QRectF(QPointF(), size_), QRectF(QPointF(), size_), Qt::IgnoreAspectRatio);
    painter.restore();
    if (isBars()) {
        paintBars(painter);
        paintBarScale(painter);
    }
    paintBound(painter);
    if (isBars()) paintRowTexts(painter);
    if (!isBars()) {
        painter.setFont(theme_.font(TextStyle::Small));
        painter.setPen(theme_.color(Token::Text3));
        painter.drawText(QPointF(theme_.px(6), QFontMetricsF(painter.font()).ascent() + 1), data_.values);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarks(painter);
    painter.restore();
}

/// The patterns of the memories and the edges, which Qt Charts has no true shapes for in a file.
void ChartPlot::paintBars(QPainter& painter) const {
    for (std::size_t row = 0; row < static_cast<std::size_t>(data_.labels.size()); ++row) {
        const auto x = static_cast<double>(row);
        const double top = position(x - kBarShare / 2, 0).y(), bottom = position(x + kBarShare / 2, 0).y();
        double from = 0;
        for (const ChartSeries& s : data_.series) {
            const ChartPoint* p = ChartData::pointAt(s, x);
            if (p == nullptr || p->y == 0) continue;
            const double left = position(x, from).x(), right = position(x, from + p->y).x();
            from += p->y;
            if (s.isHidden) continue;
            const QRectF bar(std::round(left), std::round(top), std::max(1.0, std::round(right - left)),
                             std::round(bottom - top));
            if (s.ink.residency) fillPattern(painter, bar, inkOf(theme_, *s.ink.residency));
            painter.setPen(colorOf(s.ink));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
}

/// Rows that are lower than their text have it smaller, down to a size that can still be read; below that only every
/// so many rows have their name and figure.
std::pair<QFont, int> ChartPlot::rowFont() const {
    constexpr int kLeastPx = 9;
    QFont font = theme_.font(TextStyle::Small);
    const double room = std::max(1.0, placeRect(0).height());
    while (font.pixelSize() > kLeastPx && QFontMetricsF(font).height() > room)
        font.setPixelSize(font.pixelSize() - 1);
    return {font, static_cast<int>(std::ceil(QFontMetricsF(font).ascent() / room))};
}

void ChartPlot::paintRowTexts(QPainter& painter) const {
    const auto [font, every] = rowFont();
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double wide = rowNameWidth();
    painter.setPen(theme_.color(Token::Text2));
    for (int row = 0; row < data_.labels.size(); row += every) {
        const QRectF name(theme_.px(2), placeRect(row).top(), wide, placeRect(row).height());
        painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(data_.labels[row], Qt::ElideMiddle, wide + 1));
    }
    painter.setPen(theme_.color(Token::Text1));
    double free = std::numeric_limits<double>::lowest();  // below the last figure
    for (int row = 0; row < data_.rowTexts.size(); ++row) {
        const double top = placeRect(row).center().y() - metrics.ascent() / 2;
        if (data_.rowTexts[row].isEmpty() || top < free) continue;
        free = top + metrics.ascent();
        paintRowFigure(painter, row);
    }
}

/// Behind the bar; a bound that would cross it goes behind it.
void ChartPlot::paintRowFigure(QPainter& painter, int row) const {
    double end = 0;
    for (const ChartSeries& s : data_.series)
        if (const ChartPoint* p = ChartData::pointAt(s, row)) end += p->y;
    const QRectF band = placeRect(row);
    const QRectF room(position(row, end).x() + theme_.px(4), band.top(), size_.width(), band.height());
    const QString& text = data_.rowTexts[row];
    const double bound = data_.bound ? position(0, data_.bound->value).x() : -1;
    const QFontMetricsF metrics(painter.font());
    const QRectF plate(room.left() - 2, room.center().y() - metrics.height() / 2, metrics.horizontalAdvance(text) + 4,
                       metrics.height());
    if (bound > plate.left() && bound < plate.right())
        painter.fillRect(plate, theme_.color(row == data_.selected ? Token::BgSelected : Token::BgCanvas));
    drawTabular(painter, room, Qt::AlignLeft, text);
}

/// Ticks and name of the values below bars: Qt Charts shortens or drops them where room is scarce.
void ChartPlot::paintBarScale(QPainter& painter) const {
    painter.setFont(theme_.font(TextStyle::Small));
    const QFontMetricsF metrics(painter.font());
    const double top = plotArea().bottom() + theme_.px(5);
    painter.setPen(theme_.color(Token::Text2));
    for (const auto& [value, text] : ticks_) {
        const double wide = metrics.horizontalAdvance(text);
        const double left = std::min(position(0, value).x() - wide / 2, size_.width() - wide);
        painter.drawText(QPointF(std::max(0.0, left), top + metrics.ascent()), text);
    }
    painter.setPen(theme_.color(Token::Text3));
    const double left = plotArea().center().x() - metrics.horizontalAdvance(data_.values) / 2;
    painter.drawText(QPointF(std::max(0.0, left), top + metrics.height() + metrics.ascent()), data_.values);
}

void ChartPlot::paintBound(QPainter& painter) const {
    if (!data_.bound) return;
    const QRectF area = plotArea();
    painter.setPen(QPen(theme_.color(Token::Text2), 1, Qt::DashLine));
    painter.setFont(theme_.font(TextStyle::Small));
    const QFontMetricsF metrics(painter.font());
    const double wide = metrics.horizontalAdvance(data_.bound->text);
    if (isBars()) {
        const double x = std::round(position(0, data_.bound->value).x()) + 0.5;
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.drawText(QPointF(std::max(0.0, x - wide - theme_.px(4)), area.top() - metrics.descent()),
                         data_.bound->text);
        return;
    }
    const double y = std::round(position(0, data_.bound->value).y()) + 0.5;
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.drawText(QPointF(area.right() - wide, y - metrics.descent() - 1), data_.bound->text);
}

/// Rings around what stands out, and dots where a figure has no neighbour to draw a line to.
void ChartPlot::paintMarks(QPainter& painter) const {
    if (isBars()) return;
    for (const ChartSeries& s : data_.series) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colorOf(s.ink));
        for (std::size_t i = 0; i < s.points.size(); ++i) {
            const auto isThere = [&](std::size_t at) { return at < s.points.size() && !std::isnan(s.points[at].y); };
            const bool isAlone = isThere(i) && !isThere(i + 1) && (i == 0 || !isThere(i - 1));
            if (isAlone) painter.drawEllipse(position(s.points[i].x, s.points[i].y), 2.5, 2.5);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.color(Token::Text1), kLineWidth * unitOf(theme_)));
        for (const int at : s.ringed) {
            const ChartPoint& p = s.points[static_cast<std::size_t>(at)];
            painter.drawEllipse(position(p.x, p.y), theme_.px(5), theme_.px(5));
        }
    }
}

}  // namespace memplan::ui

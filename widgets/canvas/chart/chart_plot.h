// SPDX-License-Identifier: GPL-3.0-or-later
// A chart laid out for one theme and one size: axes, lines and bars by Qt Charts, and over them what it has no form
// for (patterns of memory, figures at bars, rings, the words of the bound). Screen and files paint with it.
#pragma once

#include "widgets/canvas/chart/chart_data.h"

#include <QMargins>
#include <QRectF>

#include <memory>

class QAbstractAxis;
class QAbstractSeries;
class QChart;
class QGraphicsScene;
class QPainter;

namespace memplan::ui {

class ChartPlot {
public:
    ChartPlot(const ChartData& data, const Theme& theme, QSize size);
    ~ChartPlot();
    ChartPlot(const ChartPlot&) = delete;
    ChartPlot& operator=(const ChartPlot&) = delete;

    void paint(QPainter& painter) const;
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] QPointF position(double x, double y) const;
    /// What belongs to a place: the row of a bar, or the strip around a value of x.
    [[nodiscard]] QRectF placeRect(double x) const;
    /// Index in places() of what is nearest; -1 outside.
    [[nodiscard]] int placeAt(QPointF position) const;

private:
    [[nodiscard]] bool isBars() const { return data_.form == ChartData::Form::Bars; }
    [[nodiscard]] QColor colorOf(const ChartInk& ink) const;
    [[nodiscard]] double rowNameWidth() const;
    [[nodiscard]] QMargins margins() const;
    [[nodiscard]] QSizeF chartSize() const;
    void addLines();
    void addLine(const std::vector<ChartPoint>& points, std::size_t series, bool isNamed);
    void addBars();
    [[nodiscard]] QAbstractAxis* valueAxis(double pixels);
    [[nodiscard]] QAbstractAxis* placeAxis(double pixels) const;
    void setUpAxis(QAbstractAxis& axis, bool hasGrid) const;
    void paintBars(QPainter& painter) const;
    void paintRowTexts(QPainter& painter) const;
    void paintRowFigure(QPainter& painter, int row) const;
    [[nodiscard]] std::pair<QFont, int> rowFont() const;
    void paintBarScale(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintBound(QPainter& painter) const;

    ChartData data_;
    std::vector<double> places_;
    Theme theme_;
    QSize size_;
    std::vector<std::pair<double, QString>> ticks_;  ///< of the values
    std::unique_ptr<QGraphicsScene> scene_;
    QChart* chart_ = nullptr;           ///< owned by the scene
    QAbstractSeries* first_ = nullptr;  ///< positions are asked of its axes
};

}  // namespace memplan::ui

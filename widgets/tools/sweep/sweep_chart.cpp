// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/sweep/sweep_chart.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr std::size_t kMostLines = 7;  ///< of more, the first and the chosen one: their names have room

/// Metrics have units of their own: each is drawn in percent of the largest value that it has.
ChartSeries lineOf(const SweepPicture& picture, int category) {
    ChartSeries line{.name = picture.metric, .ink = {.category = category}};
    double most = 0;
    for (const SweepPicture::Cell& c : picture.cells)
        most = std::max(most, std::abs(c.value.value_or(0)));
    for (std::size_t i = 0; i < picture.cells.size(); ++i) {
        const SweepPicture::Cell& c = picture.cells[i];
        ChartPoint point{static_cast<double>(i), kNoFigure, c.isDone ? c.status : QString()};
        if (c.value) {
            point.y = most > 0 ? *c.value / most * 100 : 0;
            point.text = c.text;
        }
        line.points.push_back(std::move(point));
    }
    return line;
}

}  // namespace

ChartData sweepChart(const std::vector<SweepPicture>& metrics, std::size_t chosen) {
    const SweepPicture& first = metrics[chosen];
    ChartData data;
    data.name = QObject::tr("Sweep");
    data.scope = QObject::tr("metrics by %1").arg(first.columnKey);
    data.along = first.columnKey;
    data.values = QObject::tr("% of the largest");
    data.labels = first.columns;
    data.selected = first.current;
    data.tickText = [](double v) { return QString::number(v) + QStringLiteral("\u202f%"); };
    data.empty = QObject::tr("No cell has a plan yet.");
    const std::size_t others = metrics.size() <= kMostLines ? metrics.size() : kMostLines - 1;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        if (i >= others && i != chosen) continue;
        data.series.push_back(lineOf(metrics[i], static_cast<int>(data.series.size())));
        if (i == chosen) data.series.back().ringed = sharpOptima(first);
    }
    return data;
}

}  // namespace memplan::ui

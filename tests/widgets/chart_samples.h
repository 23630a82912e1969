// SPDX-License-Identifier: GPL-3.0-or-later
// One chart of each kind, and how it is drawn.
#pragma once

#include "widgets/canvas/chart/chart_plot.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/race_chart.h"
#include "widgets/tools/solver/charts/race_model.h"
#include "widgets/tools/solver/charts/search_chart.h"
#include "widgets/tools/sweep/sweep_chart.h"
#include "widgets/views/gantt/metrics_panel.h"

#include <QImage>
#include <QPainter>

#include <memory>
#include <optional>
#include <vector>

namespace memplan::fixture {

using namespace ui;

inline constexpr QSize kChartSize{480, 240};

[[nodiscard]] inline SearchTrace trace() {
    SearchTrace t;
    t.measure = "pinned_bytes";
    t.stepUnit = "moves";
    t.steps = 1500;
    t.plannedSteps = 1500;
    t.bound = 1677721;
    t.points = {{0, 1204224}, {120, 1404224}, {412, 1677056}};
    return t;
}

[[nodiscard]] inline ChartData bars() {
    std::vector<SizeBucket> buckets(3);
    for (int i = 0; i < 3; ++i)
        buckets[static_cast<std::size_t>(i)].log2 = 10 + i;
    buckets[0].counts = {4, 2, 0, 0, 0, 0};
    buckets[2].counts = {0, 3, 0, 0, 0, 0};
    return sizeChart(buckets, -1);
}

[[nodiscard]] inline SweepPicture metric(const QString& name, bool isLowGood,
                                         const std::vector<std::optional<double>>& values) {
    SweepPicture p;
    p.columnKey = QStringLiteral("spyre.cores");
    p.metric = name;
    p.isLowGood = isLowGood;
    for (std::size_t i = 0; i < values.size(); ++i) {
        p.columns << QString::number(1 << i);
        SweepPicture::Cell cell;
        cell.isDone = true;
        cell.value = values[i];
        cell.text = values[i] ? QString::number(*values[i]) + QStringLiteral(" B") : QString();
        cell.status = values[i] ? QStringLiteral("ok") : QStringLiteral("SET-004");
        p.cells.push_back(cell);
    }
    return p;
}

[[nodiscard]] inline ChartData sweepOfTwo() {
    return sweepChart({metric(QStringLiteral("Traffic"), true, {400, 100, std::nullopt, 200, 300}),
                       metric(QStringLiteral("Peak"), true, {10, 20, 30, 40, 50})},
                      0);
}

[[nodiscard]] inline ChartData race() {
    RaceModel model;
    std::vector<RaceRow> rows(3);
    const QStringList names{QStringLiteral("greedy"), QStringLiteral("firstfit"), QStringLiteral("annealing")};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].solver = names[static_cast<qsizetype>(i)];
        if (i == 2) continue;
        auto plan = std::make_shared<Plan>();
        plan->metrics.pinnedBytes = 1000000 + 200000 * static_cast<Bytes>(i);
        plan->metrics.upperBoundBytes = 1677721;
        rows[i].plan = plan;
        rows[i].state = RaceRow::State::Done;
    }
    model.setRows(std::move(rows));
    return raceChart(model, 1);
}

[[nodiscard]] inline QImage imageOf(const ChartData& data, const Theme& theme = paperTheme(), QSize size = kChartSize) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.color(Token::BgCanvas));
    QPainter painter(&image);
    ChartPlot(data, theme, size).paint(painter);
    return image;
}

}  // namespace memplan::fixture

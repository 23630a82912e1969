// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/charts/race_chart.h"

#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/race_model.h"

#include <set>

namespace memplan::ui {

namespace {

/// By the first figure of the machine.
ChartData chartOfFigure(const RaceModel& race, const RaceFigure& figure) {
    ChartData data;
    data.values = figure.title;
    data.ticks = TickBase::Decimal;
    data.tickText = [](double v) { return groupedText(qRound64(v)); };
    ChartSeries series;
    for (int i = 0; i < race.rowCount(); ++i) {
        const RaceRow& row = race.row(i);
        ChartPoint point{static_cast<double>(i), 0, race.index(i, RaceModel::State).data().toString()};
        if (row.plan) {
            const double value = figure.value(*row.plan);
            point = {static_cast<double>(i), value, groupedText(qRound64(value))};
        }
        data.labels << row.solver;
        data.rowTexts << point.text;
        series.points.push_back(std::move(point));
    }
    data.series = {series};
    return data;
}

}  // namespace

ChartData raceChart(const RaceModel& race, int selected) {
    ChartData data;
    if (!race.figures().empty()) data = chartOfFigure(race, race.figures().front());
    data.form = ChartData::Form::Bars;
    data.name = RaceModel::tr("Race of the solvers");
    data.along = race.headerData(RaceModel::Solver, Qt::Horizontal, Qt::DisplayRole).toString();
    data.selected = selected;
    if (!race.figures().empty()) return data;
    data.values = race.headerData(RaceModel::BytesOnChip, Qt::Horizontal, Qt::DisplayRole).toString();
    data.values.replace(u'\n', u' ');  // the head of a column has two lines
    data.ticks = TickBase::PowersOfTwo;
    data.tickText = byteTick;
    ChartSeries bytes;
    std::set<Bytes> bounds;
    for (int i = 0; i < race.rowCount(); ++i) {
        const RaceRow& row = race.row(i);
        ChartPoint point{static_cast<double>(i), 0, race.index(i, RaceModel::State).data().toString()};
        if (row.plan) {
            const Bytes pinned = row.plan->metrics.pinnedBytes;
            point = {static_cast<double>(i), static_cast<double>(pinned), exactBytes(pinned)};
            bounds.insert(row.plan->metrics.upperBoundBytes);
        }
        data.labels << row.solver;
        data.rowTexts << point.text;
        bytes.points.push_back(std::move(point));
    }
    data.series = {bytes};
    // Plans with other candidates have other bounds: no one line would be true.
    if (bounds.size() == 1 && *bounds.begin() > 0)
        data.bound = ChartBound{static_cast<double>(*bounds.begin()),
                                RaceModel::tr("bound %1").arg(exactBytes(*bounds.begin()))};
    return data;
}

}  // namespace memplan::ui

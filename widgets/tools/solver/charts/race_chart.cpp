// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/charts/race_chart.h"

#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/race_model.h"

#include <set>

namespace memplan::ui {

ChartData raceChart(const RaceModel& race, int selected) {
    ChartData data;
    data.form = ChartData::Form::Bars;
    data.name = RaceModel::tr("Race of the solvers");
    data.along = race.headerData(RaceModel::Solver, Qt::Horizontal, Qt::DisplayRole).toString();
    data.values = race.headerData(RaceModel::BytesOnChip, Qt::Horizontal, Qt::DisplayRole).toString();
    data.ticks = TickBase::PowersOfTwo;
    data.tickText = byteTick;
    data.selected = selected;
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

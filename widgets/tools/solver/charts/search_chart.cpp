// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/charts/search_chart.h"

#include "engine/plan/search_decision.h"
#include "engine/target/target.h"
#include "widgets/plan/units.h"

#include <QObject>

namespace memplan::ui {

QString searchMeasureText(const SearchTrace& t) {
    if (t.measure == "pinned_bytes") return QObject::tr("Bytes on chip, per core");
    if (t.measure == "saved_traffic_bytes") return QObject::tr("Off-chip bytes saved");
    if (t.measure == kLayersSaved) return QObject::tr("Layers saved");
    return QObject::tr("Bytes on chip, per core \u00d7 times touched");
}

QString searchValueText(const SearchTrace& t, std::int64_t value) {
    // The annealer counts in halves: a written buffer weighs half a touch more.
    if (t.measure == kLayersSaved) return groupedText(value);
    if (t.measure != "quality") return exactBytes(value);
    return groupedText(value / 2);
}

QString searchSentence(const SearchTrace& t) {
    if (t.points.empty()) return {};
    const QString steps = t.plannedSteps > 0
                              ? QObject::tr("%1 of %2 %3").arg(groupedText(t.steps), groupedText(t.plannedSteps))
                              : QObject::tr("%1 %2").arg(groupedText(t.steps));
    const QString done = steps.arg(fromStd(t.stepUnit));
    if (t.points.size() == 1) return QObject::tr("%1 done, nothing better than the first plan was found").arg(done);
    return QObject::tr("%1 done, best found after %2, %3 to %4")
        .arg(done, groupedText(t.points.back().step), searchValueText(t, t.points.front().value),
             searchValueText(t, t.points.back().value));
}

ChartData searchChart(const SearchTrace& t) {
    ChartData data;
    data.form = ChartData::Form::Steps;
    data.name = QObject::tr("Best value over the search");
    data.scope = searchMeasureText(t);
    data.along = fromStd(t.stepUnit);
    data.values = searchMeasureText(t);
    data.sentence = searchMeasureText(t) + QStringLiteral(": ") + searchSentence(t);
    data.fromZero = false;
    data.xEnd = static_cast<double>(t.steps);
    const bool isLayers = t.measure == kLayersSaved;
    const bool isBytes = !isLayers && t.measure != "quality";
    data.ticks = isBytes ? TickBase::PowersOfTwo : TickBase::Decimal;
    data.tickText = byteTick;
    if (!isBytes) data.tickText = [isLayers](double v) { return groupedText(qRound64(isLayers ? v : v / 2)); };
    data.empty =
        QObject::tr("The search had all there is to find before the first of its %1: there is no curve of best "
                    "values over time.")
            .arg(fromStd(t.stepUnit));
    if (t.steps == 0 && t.points.size() < 2) return data;
    ChartSeries best;
    for (const SearchPoint& p : t.points)
        best.points.push_back({static_cast<double>(p.step), static_cast<double>(p.value), searchValueText(t, p.value)});
    data.series.push_back(std::move(best));
    if (t.bound)
        data.bound =
            ChartBound{static_cast<double>(*t.bound), QObject::tr("bound %1").arg(searchValueText(t, *t.bound))};
    return data;
}

ChartData searchChartOf(const Plan& plan) {
    if (const auto trace = searchOf(plan)) return searchChart(*trace);
    ChartData data;
    data.name = QObject::tr("Best value over the search");
    const std::string_view key = settingRoles(plan.target).solver.solver;
    if (plan.solver.empty() || key.empty()) {
        data.empty = QObject::tr("No search made this plan.");
        return data;
    }
    data.empty = QObject::tr("%1 made this plan without a search; annealing and exact search (setting %2).")
                     .arg(fromStd(plan.solver), fromStd(std::string(key)));
    return data;
}

}  // namespace memplan::ui

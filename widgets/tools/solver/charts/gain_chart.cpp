// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/charts/gain_chart.h"

#include "engine/plan/gains.h"
#include "engine/target/target.h"
#include "widgets/plan/units.h"

#include <QObject>

#include <algorithm>

namespace memplan::ui {

namespace {

/// Parts with bytes before and after that differ; a pass whose steps stand below it is shown by its steps.
std::vector<Gain> chartedParts(const Plan& plan) {
    const std::vector<Gain> all = gainsOf(plan);
    std::vector<Gain> parts;
    for (const Gain& g : all) {
        const auto isStepOf = [&](const Gain& other) { return other.before && other.name.starts_with(g.name + '.'); };
        if (!g.isPart && g.before && g.saved != 0 && std::ranges::none_of(all, isStepOf)) parts.push_back(g);
    }
    return parts;
}

QString partName(const Gain& gain) {
    return fromStd(gain.name).section(u'.', -1).replace(u'_', u' ');
}

void addRow(ChartData& data, const QString& name, const QString& text) {
    data.labels << name;
    data.rowTexts << text;
}

}  // namespace

ChartData gainChart(const Plan& plan) {
    ChartData data;
    data.form = ChartData::Form::Bars;
    data.name = QObject::tr("Off-chip bytes saved by each part");
    data.along = QObject::tr("Part");
    data.values = QObject::tr("off-chip bytes per run");
    data.ticks = TickBase::PowersOfTwo;
    data.tickText = byteTick;
    data.empty = QObject::tr("No part of this plan counted bytes that it saved.");
    const std::vector<Gain> parts = chartedParts(plan);
    if (parts.empty()) return data;
    ChartSeries below{.isHidden = true};
    ChartSeries total{.name = QObject::tr("Bytes"), .ink = {.token = Token::Accent}};
    ChartSeries saved{.name = QObject::tr("Saved"), .ink = {.token = Token::Good}};
    ChartSeries added{.name = QObject::tr("Added"), .ink = {.token = Token::Warning}};
    const auto addTotal = [&](const QString& name, Bytes bytes) {
        total.points.push_back(
            {static_cast<double>(data.labels.size()), static_cast<double>(bytes), exactBytes(bytes)});
        addRow(data, name, exactBytes(bytes));
    };
    addTotal(QObject::tr("before"), *parts.front().before);
    for (const Gain& g : parts) {
        const auto row = static_cast<double>(data.labels.size());
        const auto change = static_cast<double>(std::abs(g.saved));
        below.points.push_back({row, static_cast<double>(std::min(*g.before, *g.after)), {}});
        (g.saved < 0 ? added : saved).points.push_back({row, change, exactBytes(std::abs(g.saved))});
        addRow(data, partName(g), (g.saved < 0 ? QStringLiteral("+") : QString()) + exactBytes(-g.saved));
    }
    addTotal(QObject::tr("this plan"), plan.metrics.traffic());
    data.series = {below, total, saved, added};
    return data;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/chart/chart_data.h"

#include "widgets/plan/units.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace memplan::ui {

bool ChartData::hasFigures() const {
    return std::ranges::any_of(series, [](const ChartSeries& s) {
        return std::ranges::any_of(s.points, [](const ChartPoint& p) { return !std::isnan(p.y); });
    });
}

std::vector<double> ChartData::places() const {
    std::vector<double> found;
    for (const ChartSeries& s : series)
        for (const ChartPoint& p : s.points)
            found.push_back(p.x);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

QString ChartData::placeText(double x) const {
    if (labels.isEmpty()) return groupedText(qRound64(x));
    return (longLabels.isEmpty() ? labels : longLabels).value(qRound(x));
}

const ChartPoint* ChartData::pointAt(const ChartSeries& of, double x) {
    const auto at = std::ranges::lower_bound(of.points, x, {}, &ChartPoint::x);
    return at != of.points.end() && at->x == x ? &*at : nullptr;
}

const ChartPoint* ChartData::figureAt(const ChartSeries& of, double x) const {
    if (form != Form::Steps) return pointAt(of, x);
    const auto after = std::ranges::upper_bound(of.points, x, {}, &ChartPoint::x);
    return after == of.points.begin() ? nullptr : &*std::prev(after);
}

QString ChartData::textAt(double x) const {
    QString head = placeText(x);
    if (labels.isEmpty() && !along.isEmpty()) head += u' ' + along;
    QStringList lines{head};
    for (const ChartSeries& s : series) {
        const ChartPoint* p = s.isHidden ? nullptr : figureAt(s, x);
        if (p != nullptr && !p->text.isEmpty())
            lines << (s.name.isEmpty() ? p->text : QStringLiteral("%1: %2").arg(s.name, p->text));
    }
    return lines.join(u'\n');
}

std::pair<double, double> ChartData::range() const {
    std::map<double, double> rows;
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    const auto take = [&](double y) {
        low = std::min(low, y);
        high = std::max(high, y);
    };
    for (const ChartSeries& s : series) {
        for (const ChartPoint& p : s.points) {
            if (std::isnan(p.y)) continue;
            take(form == Form::Bars ? rows[p.x] += p.y : p.y);
        }
    }
    if (bound) take(bound->value);
    if (low > high) return {0, 1};
    if (fromZero || low == high) take(0);  // one value alone has no other scale
    return {low, high > low ? high : low + 1};
}

QString scopeWithPlan(const QString& planName, const QString& scope) {
    if (planName.isEmpty() || scope.isEmpty()) return planName + scope;
    return planName + QStringLiteral(" \u2014 ") + scope;
}

std::vector<LegendEntry> chartLegend(const ChartData& data) {
    std::vector<LegendEntry> entries;
    for (const ChartSeries& s : data.series) {
        if (data.form != ChartData::Form::Bars || s.isHidden || !s.ink.residency) continue;
        LegendEntry entry;
        entry.text = s.name;
        entry.residency = *s.ink.residency;
        entries.push_back(std::move(entry));
    }
    return entries;
}

QString byteTick(double bytes) {
    constexpr Bytes kKib = 1024, kMib = kKib * kKib;
    const Bytes b = qRound64(bytes);
    if (b != 0 && b % kMib == 0) return groupedText(b / kMib) + QStringLiteral("\u202fMiB");
    if (b > 10 * kMib) return QString::number(static_cast<double>(b) / kMib, 'f', 1) + QStringLiteral("\u202fMiB");
    if (b < 10 * kKib && b % kKib != 0) return exactBytes(b);
    return b == 0 ? QStringLiteral("0") : groupedText((b + kKib / 2) / kKib) + QStringLiteral("\u202fKiB");
}

std::vector<ChartPoint> thinned(const std::vector<ChartPoint>& points, std::size_t most) {
    if (points.size() <= most || most < 2) return points;
    std::vector<ChartPoint> kept;
    kept.reserve(most);
    for (std::size_t i = 0; i < most; ++i)
        kept.push_back(points[i * (points.size() - 1) / (most - 1)]);
    return kept;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart shows, as a value: lines, stepped lines or stacked bars of figures that somebody counted. Nothing in
// here is drawn; a figure that is missing stays missing.
#pragma once

#include "widgets/canvas/state/axis.h"
#include "widgets/canvas/state/view_state.h"
#include "widgets/kit/theme/theme.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace memplan::ui {

/// Above these numbers of points a chart keeps the first, the last and an even choice between them; the table has all.
inline constexpr std::size_t kMostLinePoints = 2000, kMostChartPoints = 5000;
inline constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

struct ChartPoint {
    double x = 0;          ///< bars: the row, counted from the top
    double y = kNoFigure;  ///< kNoFigure: there is none, and the line is broken
    QString text = {};     ///< the exact figure with its unit
};

/// How a series is painted: by its memory, else by a category of the theme, else by a colour of its own.
struct ChartInk {
    std::optional<Residency> residency = std::nullopt;
    int category = -1;
    Token token = Token::Accent;
};

struct ChartSeries {
    QString name = {};
    ChartInk ink = {};
    std::vector<ChartPoint> points = {};  ///< x rises
    std::vector<int> ringed = {};         ///< points that stand out
    bool isHidden = false;                ///< bars: only carries the next part of the same row
};

struct ChartBound {
    double value = 0;
    QString text;
};

struct ChartData {
    enum class Form { Lines, Steps, Bars };
    Form form = Form::Lines;
    QString name;                 ///< "Best value over the search"
    QString scope = {};           ///< second part of the title of a picture
    QString along = {};           ///< what x counts: head of the table's first column
    QString values = {};          ///< what y counts
    QStringList labels = {};      ///< names of x = 0, 1, ...; empty: x is a number
    QStringList longLabels = {};  ///< the same for tooltip, table and spoken text; empty: labels
    QStringList rowTexts = {};    ///< bars: the figure at the end of each row
    std::vector<ChartSeries> series = {};
    std::optional<ChartBound> bound = std::nullopt;  ///< dashed line across
    std::function<QString(double)> tickText = {};    ///< of the axis of values
    TickBase ticks = TickBase::Decimal;              ///< of the axis of values
    double xEnd = 0;                                 ///< a numeric x axis reaches at least here
    bool fromZero = true;                            ///< the axis of values begins at zero
    int selected = -1;                               ///< the marked place of x
    QString sentence = {};                           ///< accessible description; empty: made of the figures
    QString empty = {};                              ///< in the place of a chart without figures

    [[nodiscard]] bool hasFigures() const;
    /// Places of the keyboard and the rows of the table: every x that occurs, rising.
    [[nodiscard]] std::vector<double> places() const;
    /// Name of a place: the label, or the number.
    [[nodiscard]] QString placeText(double x) const;
    /// The series' point at x, one without a figure too.
    [[nodiscard]] static const ChartPoint* pointAt(const ChartSeries& of, double x);
    /// The stepped line holds its last figure until the next one.
    [[nodiscard]] const ChartPoint* figureAt(const ChartSeries& of, double x) const;
    /// All figures at a place, a line each; the place itself in the first one.
    [[nodiscard]] QString textAt(double x) const;
    /// Smallest and largest y, the bound included; bars are added up by row.
    [[nodiscard]] std::pair<double, double> range() const;
};

/// The title of a picture names the plan before the chart's own scope; either may be empty.
[[nodiscard]] QString scopeWithPlan(const QString& planName, const QString& scope);
/// Residencies of bars that a reader must distinguish.
[[nodiscard]] std::vector<LegendEntry> chartLegend(const ChartData& data);
/// Bytes of a tick in the largest unit that says them in whole numbers; KiB are rounded.
[[nodiscard]] QString byteTick(double bytes);
/// At most `most` points: the first, the last and an even choice between them.
[[nodiscard]] std::vector<ChartPoint> thinned(const std::vector<ChartPoint>& points, std::size_t most);

}  // namespace memplan::ui

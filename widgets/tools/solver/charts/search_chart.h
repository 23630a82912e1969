// SPDX-License-Identifier: GPL-3.0-or-later
// Best value over the counted steps of a search, with its bound (user-experience 12.2): words and chart.
#pragma once

#include "engine/base/search_trace.h"
#include "engine/plan/plan.h"
#include "widgets/canvas/chart/chart_data.h"

namespace memplan::ui {

/// What a trace says in words: measure, value text, how the run ended and what would continue it.
[[nodiscard]] QString searchMeasureText(const SearchTrace& trace);
[[nodiscard]] QString searchValueText(const SearchTrace& trace, std::int64_t value);
/// "best after 412 of 1 500 moves: 1 204 224 B to 1 677 056 B".
[[nodiscard]] QString searchSentence(const SearchTrace& trace);
/// Without figures where the search had found all there is before its first step.
[[nodiscard]] ChartData searchChart(const SearchTrace& trace);
/// Without figures where the plan holds no search; `empty` says why, and what to set for one.
[[nodiscard]] ChartData searchChartOf(const Plan& plan);

}  // namespace memplan::ui

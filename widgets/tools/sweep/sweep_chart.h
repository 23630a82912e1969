// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep over one parameter: a line for each metric, in percent of its largest value; the optimum of the chosen
// metric is ringed (user-experience 13.3).
#pragma once

#include "widgets/canvas/chart/chart_data.h"
#include "widgets/tools/sweep/sweep_matrix.h"

namespace memplan::ui {

/// One picture for each metric, all over the same single parameter.
[[nodiscard]] ChartData sweepChart(const std::vector<SweepPicture>& metrics, std::size_t chosen);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the solvers of a race placed on chip, a bar each, with the bound that holds for all of them.
#pragma once

#include "widgets/canvas/chart/chart_data.h"

namespace memplan::ui {

class RaceModel;

/// Solvers that are not done have no bar; `selected`: row of the table.
[[nodiscard]] ChartData raceChart(const RaceModel& race, int selected);

}  // namespace memplan::ui

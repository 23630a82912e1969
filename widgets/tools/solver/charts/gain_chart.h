// SPDX-License-Identifier: GPL-3.0-or-later
// What each part of a compile saved, as a waterfall from the bytes before the first part to those of the plan.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/canvas/chart/chart_data.h"

namespace memplan::ui {

/// Parts that saved nothing, or counted the difference alone, are left out: the table has them.
[[nodiscard]] ChartData gainChart(const Plan& plan);

}  // namespace memplan::ui

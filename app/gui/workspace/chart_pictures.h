// SPDX-License-Identifier: GPL-3.0-or-later
// Charts among the views that can be pictured (user-experience 17.1; architecture 8.5).
#pragma once

#include "app/gui/workspace/pictured_view.h"
#include "widgets/canvas/chart/chart_data.h"

namespace memplan::app {

class Workspace;

struct PicturedChart {
    QString key, title;
    QWidget* widget = nullptr;  ///< null where it stands inside another view
    /// What is drawn now; without figures there is no such view.
    std::function<ui::ChartData()> data;
    bool isOfPlan = false;  ///< follows from the plan alone: a command makes the same picture
};
/// In a title the plan is called what `views`, which outlive the charts, call it.
[[nodiscard]] PicturedView picturedChart(const PicturedChart& chart, const Workspace& views);

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/chart_pictures.h"

#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/canvas/chart/chart_picture.h"

namespace memplan::app {

namespace {

/// The widget itself, or those inside it.
QList<ui::Chart*> chartsIn(QWidget* widget) {
    if (widget == nullptr) return {};
    if (auto* chart = qobject_cast<ui::Chart*>(widget)) return {chart};
    return widget->findChildren<ui::Chart*>();
}

}  // namespace

PicturedView picturedChart(const PicturedChart& chart, const Workspace& views) {
    const auto planName = [&views, isOfPlan = chart.isOfPlan] { return isOfPlan ? views.planName() : QString(); };
    for (ui::Chart* drawn : chartsIn(chart.widget))
        drawn->setPlanName(planName);
    PicturedView view;
    view.key = chart.key;
    view.title = chart.title;
    view.widget = chart.widget;
    view.isThere = [data = chart.data] { return data().hasFigures(); };
    view.whyNot = [data = chart.data] { return data().empty; };
    view.picture = [data = chart.data, planName](const ui::RenderOptions&) {
        return std::make_unique<ui::ChartPicture>(data(), planName());
    };
    view.csv = [data = chart.data] { return ui::chartCsv(data()); };
    view.looksAsOpened = [isOfPlan = chart.isOfPlan] { return isOfPlan; };
    return view;
}

}  // namespace memplan::app

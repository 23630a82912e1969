// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/chart_pictures.h"

#include "widgets/canvas/chart/chart_picture.h"

namespace memplan::app {

PicturedView picturedChart(const PicturedChart& chart) {
    PicturedView view;
    view.key = chart.key;
    view.title = chart.title;
    view.widget = chart.widget;
    view.isThere = [data = chart.data] { return data().hasFigures(); };
    view.whyNot = [data = chart.data] { return data().empty; };
    view.picture = [data = chart.data](const ui::RenderOptions&) { return std::make_unique<ui::ChartPicture>(data()); };
    view.csv = [data = chart.data] { return ui::chartCsv(data()); };
    view.looksAsOpened = [isOfPlan = chart.isOfPlan] { return isOfPlan; };
    return view;
}

}  // namespace memplan::app

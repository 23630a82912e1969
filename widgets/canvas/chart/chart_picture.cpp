// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/chart/chart_picture.h"

#include "widgets/canvas/chart/chart_plot.h"
#include "widgets/canvas/chart/chart_table.h"
#include "widgets/plan/models/table_text.h"

namespace memplan::ui {

ChartPicture::ChartPicture(ChartData data, const QString& planName) : data_(std::move(data)) {
    data_.scope = scopeWithPlan(planName, data_.scope);
}

QSize ChartPicture::pictureSize() const {
    constexpr int kRow = 24, kAxes = 60;
    const bool isBars = data_.form == ChartData::Form::Bars;
    return {720, isBars ? static_cast<int>(data_.labels.size()) * kRow + kAxes : 360};
}

void ChartPicture::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    ChartPlot(data_, theme, size).paint(painter);
}

QByteArray chartCsv(const ChartData& data) {
    ChartTable table;
    table.setData(data);
    return tableToCsv(table);
}

}  // namespace memplan::ui

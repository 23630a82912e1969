// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a picture and as rows for files, without a widget of its own (architecture 8.5).
#pragma once

#include "widgets/canvas/chart/chart_data.h"
#include "widgets/canvas/picture/picture_source.h"

#include <QByteArray>

namespace memplan::ui {

class ChartPicture final : public PictureSource {
public:
    /// `planName`: of the plan that the figures follow from; empty where that is no single one.
    explicit ChartPicture(ChartData data, const QString& planName = {});

    [[nodiscard]] QString viewName() const override { return data_.name; }
    [[nodiscard]] QString scopeText() const override { return data_.scope; }
    [[nodiscard]] QSize pictureSize() const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override { return chartLegend(data_); }
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

private:
    ChartData data_;
};

/// The figures as comma-separated values, a row for each place.
[[nodiscard]] QByteArray chartCsv(const ChartData& data);

}  // namespace memplan::ui

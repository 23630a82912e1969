// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as one picture for files (user-experience 16.6): outcome, every metric, both memory maps, changes.
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/plan/models/painted_table.h"
#include "widgets/tools/compare/change_model.h"

namespace memplan::ui {

class ComparePicture final : public PictureSource {
public:
    static constexpr std::size_t kMostChanges = 60;  ///< the change table of the CSV has them all

    /// The maps are drawn as they stand in their views; they must outlive the picture.
    struct Maps {
        const PictureSource* ofA = nullptr;
        const PictureSource* ofB = nullptr;
        QString marksOfA;  ///< how A is marked in the map of B; empty where it is not
    };
    ComparePicture(ComparedPtr compared, Maps maps);
    [[nodiscard]] QString viewName() const override;
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QSize pictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

private:
    [[nodiscard]] PaintedTable metricTable() const;
    [[nodiscard]] PaintedTable changeTable() const;
    double paintMaps(QPainter& painter, const QRectF& area, const Theme& theme) const;

    ComparedPtr compared_;
    MetricRowModel metrics_;
    ChangeModel changes_;
    QString outcome_;
    Maps maps_;
};

}  // namespace memplan::ui

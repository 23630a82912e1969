// SPDX-License-Identifier: GPL-3.0-or-later
// A view that is a table, as a picture for files: name, scope and rows (user-experience 17.1).
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/plan/models/painted_table.h"

namespace memplan::ui {

class TablePicture final : public PictureSource {
public:
    static constexpr int kWidth = 1400;            ///< px at 100 %
    static constexpr std::size_t kMostRows = 300;  ///< the CSV of the view has them all

    struct Words {
        QString name, scope;
        QString empty;  ///< in the place of the rows when there are none
    };
    TablePicture(const QAbstractItemModel& model, TableShape shape, Words words);
    [[nodiscard]] QString viewName() const override { return words_.name; }
    [[nodiscard]] QString scopeText() const override { return words_.scope; }
    [[nodiscard]] QSize pictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

private:
    PaintedTable table_;
    std::size_t rows_;
    double height_;  ///< of the rows that are pictured when all have room
    Words words_;
};

}  // namespace memplan::ui

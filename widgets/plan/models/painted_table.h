// SPDX-License-Identifier: GPL-3.0-or-later
// A table as a drawing for files (user-experience 2.17, 17.1): the rows of a model laid out for a width and painted in
// the colours of a theme. No widget is needed, and none of the screen's sizes has a say.
#pragma once

#include "widgets/kit/theme/theme.h"

#include <QModelIndex>
#include <QRectF>
#include <QString>

#include <vector>

class QAbstractItemModel;
class QPainter;

namespace memplan::ui {

/// Steps that the words of a cell stand to the right of those of its group; none for a flat table.
inline constexpr int kIndentRole = Qt::UserRole + 40;

struct TableShape {
    std::vector<int> columns;  ///< of the model, in the order in which they are shown
    std::vector<int> wrapped;  ///< those of them that share the rest of the width; their words go on in further lines
    std::vector<int> rows;     ///< of the model, in order
    std::vector<int> chosen;   ///< rows of the model that are marked
};

/// All rows of `model`, its columns as they are.
[[nodiscard]] TableShape wholeTable(const QAbstractItemModel& model, std::vector<int> wrapped);

class PaintedTable {
public:
    /// `model` must outlive it, and is read when it is painted.
    PaintedTable(const QAbstractItemModel& model, TableShape shape);
    /// Height of head and all rows, px.
    [[nodiscard]] double height(double width, const Theme& theme) const;
    /// The same with no more than `most` rows, and a line that counts the others.
    [[nodiscard]] double height(double width, const Theme& theme, std::size_t most) const;
    /// As many rows as `area` has room for; a last line says how many are left out. Returns the lower end.
    double paint(QPainter& painter, const QRectF& area, const Theme& theme) const;

private:
    [[nodiscard]] std::vector<double> widths(double width, const Theme& theme) const;
    [[nodiscard]] double rowHeight(int row, const std::vector<double>& widths, const Theme& theme) const;
    [[nodiscard]] bool isWrapped(int column) const;
    void paintHead(QPainter& painter, const QRectF& line, const std::vector<double>& widths, const Theme& theme) const;
    void paintRow(QPainter& painter, const QRectF& line, int row, const std::vector<double>& widths,
                  const Theme& theme) const;

    const QAbstractItemModel& model_;
    TableShape shape_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a chart as a table (user-experience 22.2): a row for each place, a column for each series.
#pragma once

#include "widgets/canvas/chart/chart_data.h"

#include <QAbstractTableModel>

namespace memplan::ui {

class ChartTable final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setData(const ChartData& data);
    using QAbstractTableModel::setData;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList heads_;
    std::vector<QStringList> rows_;
};

}  // namespace memplan::ui

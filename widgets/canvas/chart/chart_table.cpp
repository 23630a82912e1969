// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/chart/chart_table.h"

#include "widgets/plan/marks/badge.h"

namespace memplan::ui {

void ChartTable::setData(const ChartData& data) {
    beginResetModel();
    heads_ = {data.along};
    rows_.clear();
    for (const ChartSeries& s : data.series)
        if (!s.isHidden) heads_ << (s.name.isEmpty() ? data.values : s.name);
    for (const double x : data.places()) {
        QStringList row{data.placeText(x)};
        for (const ChartSeries& s : data.series) {
            if (s.isHidden) continue;
            const ChartPoint* p = ChartData::pointAt(s, x);
            row << (p != nullptr ? p->text : QString());
        }
        rows_.push_back(std::move(row));
    }
    endResetModel();
}

int ChartTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ChartTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(heads_.size());
}

QVariant ChartTable::data(const QModelIndex& at, int role) const {
    if (!at.isValid()) return {};
    if (role == Qt::DisplayRole) return rows_[static_cast<std::size_t>(at.row())].value(at.column());
    if (role == NumericRole) return at.column() > 0;
    return {};
}

QVariant ChartTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) return heads_.value(section);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section > 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Every writer-reader pair of a plan with both cuts and whether they agree (user-experience 6.4,
// 2.17; picture d, "Edges"). The table twin of the core grid.
#pragma once

#include "coregrid/core_map.h"

#include <QAbstractTableModel>

#include <optional>

namespace memplan::ui {

class EdgeTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Buffer, Writer, WriterSplit, Reader, ReaderSplit, Result, Size, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setPlan(PlanPtr plan);
    [[nodiscard]] const PlanPtr& plan() const { return plan_; }
    [[nodiscard]] int mismatchCount() const;
    /// Made when first asked for: a large plan has many pairs and the table is often closed.
    [[nodiscard]] const std::vector<SplitPair>& pairs() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const SplitPair& pair, int column) const;

    PlanPtr plan_;
    mutable std::optional<std::vector<SplitPair>> pairs_;  // their accesses point into plan_
};

}  // namespace memplan::ui

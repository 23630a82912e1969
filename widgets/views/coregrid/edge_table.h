// SPDX-License-Identifier: GPL-3.0-or-later
// Every writer-reader pair of a plan with both cuts and whether they agree (user-experience 6.4,
// 2.17; picture d, "Edges"). The table twin of the core grid.
#pragma once

#include "widgets/plan/models/plan_table_model.h"
#include "widgets/views/coregrid/data/core_map.h"

#include <optional>

namespace memplan::ui {

class EdgeTableModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Buffer, Writer, WriterSplit, Reader, ReaderSplit, Result, Size, ColumnCount };

    explicit EdgeTableModel(QObject* parent = nullptr);
    [[nodiscard]] int mismatchCount() const;
    /// Made when first asked for: a large plan has many pairs and the table is often closed.
    [[nodiscard]] const std::vector<SplitPair>& pairs() const;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

protected:
    [[nodiscard]] int rows() const override { return static_cast<int>(pairs().size()); }
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override {
        return ItemId::of(pairs()[static_cast<std::size_t>(row)].buffer);
    }
    [[nodiscard]] QString tooltipOf(int row, int column) const override;
    void planChanged() override { pairs_.reset(); }

private:
    [[nodiscard]] QString text(const SplitPair& pair, int column) const;

    mutable std::optional<std::vector<SplitPair>> pairs_;  // their accesses point into the plan
};

}  // namespace memplan::ui

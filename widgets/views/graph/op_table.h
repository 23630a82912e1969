// SPDX-License-Identifier: GPL-3.0-or-later
// Table twin of the graph view: one row per operation in schedule order (user-experience 2.17).
#pragma once

#include "widgets/plan/models/plan_table_model.h"

namespace memplan::ui {

class OpTableModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column {
        Step,
        Name,
        Kind,
        Space,
        Shape,
        Type,
        Bytes,
        Inputs,
        Cores,
        Split,
        ReadBytes,
        WriteBytes,
        Group,
        AddedBy,
        ColumnCount
    };

    explicit OpTableModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] int rows() const override { return static_cast<int>(plan()->ops.size()); }
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Op, row}; }
    [[nodiscard]] int nameColumn() const override { return Name; }
    [[nodiscard]] QString tooltipOf(int row, int column) const override;

private:
    [[nodiscard]] QString text(const PlanOp& op, int column) const;
    [[nodiscard]] const PlanBuffer* output(const PlanOp& op) const;
};

}  // namespace memplan::ui

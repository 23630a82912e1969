// SPDX-License-Identifier: GPL-3.0-or-later
// Every operation of the schedule with chain, layout and bytes: the table of the view of L1 chains (user-experience
// 2.17).
#pragma once

#include "widgets/plan/models/plan_table_model.h"
#include "widgets/views/chains/data/chain_data.h"

namespace memplan::ui {

class ChainTableModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Position, Name, Kind, Chain, State, Layout, Grid, Cores, Need, Reserved, Bound, End, ColumnCount };

    explicit ChainTableModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] int rows() const override { return data_ ? data_->positions() : 0; }
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return ItemId::of(OpId{row}); }
    void planChanged() override { data_ = chainDataOf(plan()); }
    [[nodiscard]] int nameColumn() const override { return Name; }

private:
    [[nodiscard]] TableCell chainCell(int row, int column) const;
    [[nodiscard]] TableCell layoutCell(const TtnnOp& op, int column) const;

    ChainDataPtr data_;
};

}  // namespace memplan::ui

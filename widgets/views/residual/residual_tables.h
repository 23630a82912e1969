// SPDX-License-Identifier: GPL-3.0-or-later
// The residual stream as tables (user-experience 2.17): every node that owns columns, and every layer.
#pragma once

#include "widgets/plan/models/plan_table_model.h"
#include "widgets/views/residual/data/residual_data.h"

namespace memplan::ui {

/// The twin of the map: one row for each owner.
class OwnerTableModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Node, Kind, Annotation, Width, Columns, Born, Last, Layers, Area, LastReader, ColumnCount };
    explicit OwnerTableModel(QObject* parent = nullptr);
    void setData(ResidualDataPtr data);
    using QAbstractItemModel::setData;

protected:
    [[nodiscard]] int rows() const override { return data_ ? static_cast<int>(data_->holdings().size()) : 0; }
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Buffer, data_->holding(row).owner.index}; }
    [[nodiscard]] int nameColumn() const override { return Node; }

private:
    ResidualDataPtr data_;
    std::vector<torchwright::NodeId> lastReader_;  ///< by holding, invalid = nothing reads it
};

/// The twin of the layer strip.
class LayerTableModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Layer, Heads, Cross, Slots, Ops, Cancelled, In, Out, Occupied, Fill, Refused, Bound, ColumnCount };
    explicit LayerTableModel(QObject* parent = nullptr);
    void setData(ResidualDataPtr data);
    using QAbstractItemModel::setData;

protected:
    [[nodiscard]] int rows() const override { return data_ ? data_->layers() : 0; }
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Step, data_->layer(row).firstOp}; }

private:
    ResidualDataPtr data_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Table twin of the graph view: one row per operation in schedule order (user-experience 2.17).
#pragma once

#include "core/selection_hub.h"

#include <QAbstractTableModel>

namespace memplan::ui {

class OpTableModel final : public QAbstractTableModel {
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

    using QAbstractTableModel::QAbstractTableModel;
    void setPlan(PlanPtr plan);
    void setNotes(NoteFlagsPtr notes);  ///< rows with a note carry a flag

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const PlanOp& op, int row, int column) const;
    [[nodiscard]] qint64 number(const PlanOp& op, int row, int column) const;
    [[nodiscard]] const PlanBuffer* output(const PlanOp& op) const;

    PlanPtr plan_;
    NoteFlagsPtr notes_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that the command palette found, as a list model.
#pragma once

#include "widgets/tools/palette/palette_items.h"

#include <QAbstractListModel>

namespace memplan::ui {

/// The found rows; the delegate reads them by index.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    void setRows(std::vector<PaletteRow> rows);
    [[nodiscard]] const PaletteRow& row(int at) const { return rows_[static_cast<std::size_t>(at)]; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<PaletteRow> rows_;
};

}  // namespace memplan::ui

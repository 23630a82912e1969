// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/palette_model.h"

namespace memplan::ui {

void PaletteModel::setRows(std::vector<PaletteRow> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const PaletteRow& r = row(index.row());
    if (role == Qt::DisplayRole) return r.name;
    if (role == Qt::ToolTipRole) return r.context.isEmpty() ? r.name : r.name + u'\n' + r.context;
    if (role == Qt::AccessibleTextRole)
        return QStringLiteral("%1 %2, %3 %4").arg(paletteWord(r.kind), r.name, r.context, r.value);
    return {};
}

}  // namespace memplan::ui

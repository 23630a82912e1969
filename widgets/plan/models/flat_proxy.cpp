// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/flat_proxy.h"

namespace memplan::ui {

QModelIndex FlatProxyModel::mapToSource(const QModelIndex& proxy) const {
    if (!proxy.isValid() || proxy.row() >= rows()) return {};
    const int row = sourceRow(proxy.row());
    return row < 0 ? QModelIndex() : sourceModel()->index(row, proxy.column());
}

QModelIndex FlatProxyModel::mapFromSource(const QModelIndex& source) const {
    const int row = source.isValid() ? rowOf(source.row()) : -1;
    return row < 0 ? QModelIndex() : createIndex(row, source.column());
}

QModelIndex FlatProxyModel::index(int row, int column, const QModelIndex& parent) const {
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex FlatProxyModel::parent(const QModelIndex& child) const {
    Q_UNUSED(child)
    return {};
}

int FlatProxyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows();
}

int FlatProxyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || sourceModel() == nullptr ? 0 : sourceModel()->columnCount();
}

QVariant FlatProxyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    // Heads belong to columns; the base class would look for a row even when none is shown.
    return sourceModel() == nullptr ? QVariant() : sourceModel()->headerData(section, orientation, role);
}

}  // namespace memplan::ui

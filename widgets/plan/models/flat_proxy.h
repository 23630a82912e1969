// SPDX-License-Identifier: GPL-3.0-or-later
// Base of proxies over a table: rows of their own choice, the columns and heads of the source (architecture 8.6).
#pragma once

#include <QAbstractProxyModel>

namespace memplan::ui {

class FlatProxyModel : public QAbstractProxyModel {
    Q_OBJECT
public:
    using QAbstractProxyModel::QAbstractProxyModel;

    [[nodiscard]] QModelIndex mapToSource(const QModelIndex& proxy) const final;
    [[nodiscard]] QModelIndex mapFromSource(const QModelIndex& source) const final;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const final;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

protected:
    [[nodiscard]] virtual int rows() const = 0;
    [[nodiscard]] virtual int sourceRow(int row) const = 0;    ///< of an existing row; -1: it has none
    [[nodiscard]] virtual int rowOf(int sourceRow) const = 0;  ///< -1: not shown; any number is asked for
};

}  // namespace memplan::ui

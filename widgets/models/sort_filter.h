// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering by an index vector over raw values (architecture 8.6). Above 50 000 rows the
// vector is computed off the window thread and swapped in when ready.
#pragma once

#include "core/selection_hub.h"

#include <QAbstractProxyModel>
#include <QFutureWatcher>

#include <functional>
#include <vector>

namespace memplan::ui {

class SortFilterModel final : public QAbstractProxyModel {
    Q_OBJECT
public:
    static constexpr int kBackgroundRows = 50000;
    using RowFilter = std::function<bool(const QAbstractItemModel& source, int row)>;

    explicit SortFilterModel(QObject* parent = nullptr);

    void setSourceModel(QAbstractItemModel* source) override;
    void sort(int column, Qt::SortOrder order) override;
    /// Rows whose display text in any column contains `text`, case-insensitively; empty = all.
    void setTextFilter(const QString& text);
    /// A further condition; must be safe to call from another thread while the source stands still.
    void setRowFilter(RowFilter filter);
    [[nodiscard]] bool isBusy() const { return watcher_.isRunning(); }

    [[nodiscard]] QModelIndex mapToSource(const QModelIndex& proxy) const override;
    [[nodiscard]] QModelIndex mapFromSource(const QModelIndex& source) const override;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void filterChanged();

private:
    struct Order {
        std::vector<int> rows;       ///< proxy row -> source row
        std::vector<int> positions;  ///< source row -> proxy row, -1 filtered out
    };
    [[nodiscard]] std::function<Order()> orderTask() const;
    void rebuild();
    void adopt(Order order);

    Order order_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    QString text_;
    RowFilter filter_;
    QFutureWatcher<Order> watcher_;
};

}  // namespace memplan::ui

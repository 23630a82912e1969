// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering by an index vector over raw values (architecture 8.6). Above 50 000 rows the keys are copied in
// short slices of the window thread and sorted off it: a worker never reads the source (8.11a).
#pragma once

#include "widgets/plan/models/flat_proxy.h"
#include "widgets/plan/selection_hub.h"

#include <QFutureWatcher>
#include <QTimer>
#include <QVariant>

#include <functional>
#include <vector>

namespace memplan::ui {

class SortFilterModel final : public FlatProxyModel {
    Q_OBJECT
public:
    static constexpr int kBackgroundRows = 50000;
    using RowFilter = std::function<bool(const QAbstractItemModel& source, int row)>;

    explicit SortFilterModel(QObject* parent = nullptr);

    void setSourceModel(QAbstractItemModel* source) override;
    void sort(int column, Qt::SortOrder order) override;
    /// Rows whose display text in any column contains `text`, case-insensitively; empty = all.
    void setTextFilter(const QString& text);
    /// A further condition.
    void setRowFilter(RowFilter filter);
    [[nodiscard]] bool isBusy() const { return slice_.isActive() || watcher_.isRunning(); }

signals:
    void filterChanged();

protected:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] int sourceRow(int row) const override;
    [[nodiscard]] int rowOf(int sourceRow) const override;

private:
    struct Order {
        std::vector<int> rows;       ///< proxy row -> source row
        std::vector<int> positions;  ///< source row -> proxy row, -1 filtered out
    };
    /// What a worker sorts.
    struct Keys {
        int sourceRows = 0;            ///< in all
        int copied = 0;                ///< of them looked at so far
        std::vector<int> rows;         ///< those that pass the filters
        std::vector<QVariant> values;  ///< of the sorted column, beside rows
        Qt::SortOrder direction = Qt::AscendingOrder;
    };
    [[nodiscard]] static Order sorted(Keys keys);
    [[nodiscard]] bool passes(int row) const;
    void copyRow(int row);
    void copySlice();
    void stop();
    void rebuild();
    void adopt(Order order);

    Order order_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    QString text_;
    RowFilter filter_;
    Keys keys_;     ///< while they are copied
    QTimer slice_;  ///< the next piece of them
    QFutureWatcher<Order> watcher_;
};

}  // namespace memplan::ui

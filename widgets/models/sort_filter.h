// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering by an index vector over raw values (architecture 8.6). Above 50 000 rows the
// vector is computed off the window thread and swapped in when ready.
#pragma once

#include "core/selection_hub.h"
#include "models/flat_proxy.h"

#include <QFutureWatcher>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace memplan::ui {

class SortFilterModel final : public FlatProxyModel {
    Q_OBJECT
public:
    static constexpr int kBackgroundRows = 50000;
    using RowFilter = std::function<bool(const QAbstractItemModel& source, int row)>;

    explicit SortFilterModel(QObject* parent = nullptr);
    ~SortFilterModel() override;  ///< stops the worker and waits for it

    void setSourceModel(QAbstractItemModel* source) override;
    void sort(int column, Qt::SortOrder order) override;
    /// Rows whose display text in any column contains `text`, case-insensitively; empty = all.
    void setTextFilter(const QString& text);
    /// A further condition; must be safe to call from another thread while the source stands still.
    void setRowFilter(RowFilter filter);
    [[nodiscard]] bool isBusy() const { return watcher_.isRunning(); }
    /// Ends work on another thread and waits for it: before the source changes or goes. The old order stays.
    void stopWorker();

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
    using Stop = std::shared_ptr<std::atomic<bool>>;
    [[nodiscard]] std::function<Order()> orderTask(Stop stop) const;
    void rebuild();
    void adopt(Order order);

    Order order_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    QString text_;
    RowFilter filter_;
    Stop stop_;  ///< of the work that runs
    QFutureWatcher<Order> watcher_;
};

}  // namespace memplan::ui

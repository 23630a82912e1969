// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering by an index vector over raw values (architecture 8.6). Above 50 000 rows the
// vector is computed off the window thread and swapped in when ready.
#pragma once

#include "widgets/plan/models/flat_proxy.h"
#include "widgets/plan/selection_hub.h"

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
    /// Ends work on another thread, before the source changes or goes: waits for it when it has begun, else it never
    /// does. The old order stays.
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
    /// Shared with the worker, which may come to it when the model has gone.
    struct Job {
        std::atomic<bool> isTaken = false;  ///< by the worker, or by somebody who does not want it any more
        std::atomic<bool> isStopped = false;
    };
    using JobPtr = std::shared_ptr<Job>;
    [[nodiscard]] std::function<Order()> orderTask(JobPtr job) const;
    void rebuild();
    void adopt(Order order);

    Order order_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    QString text_;
    RowFilter filter_;
    JobPtr job_;  ///< that runs or waits for a thread
    QFutureWatcher<Order> watcher_;
};

}  // namespace memplan::ui

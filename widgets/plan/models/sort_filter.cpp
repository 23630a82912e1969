// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/sort_filter.h"

#include "widgets/kit/controls/fault.h"
#include "widgets/plan/badge.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

namespace memplan::ui {

namespace {

QVariant sortKey(const QAbstractItemModel& model, int row, int column) {
    const QModelIndex index = model.index(row, column);
    if (const QVariant own = index.data(SortRole); own.isValid()) return own;
    const QVariant raw = index.data(RawRole);
    return raw.isValid() ? raw : index.data();
}

/// Numbers of a column sort as numbers, the rest as text; empty cells come last in ascending order. Reading the cells
/// takes most of the time: there it can be stopped, and the order is of no use then.
template <class IsStopped>
std::vector<int> sortedRows(const QAbstractItemModel& model, std::vector<int> rows, int column, IsStopped isStopped) {
    std::vector<double> numbers(rows.size());
    std::vector<QString> texts;
    bool numeric = true;
    for (std::size_t i = 0; numeric && i < rows.size() && !isStopped(); ++i) {
        const QVariant key = sortKey(model, rows[i], column);
        const bool empty = !key.isValid() || key.toString().isEmpty();
        numeric = empty || key.typeId() != QMetaType::QString;
        numbers[i] = empty ? std::numeric_limits<double>::infinity() : key.toDouble();
    }
    if (!numeric) {
        texts.resize(rows.size());
        for (std::size_t i = 0; i < rows.size() && !isStopped(); ++i)
            texts[i] = sortKey(model, rows[i], column).toString();
    }
    if (isStopped()) return {};
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (numeric)
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
    else
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return texts[a] < texts[b]; });
    std::vector<int> result(rows.size());
    std::ranges::transform(order, result.begin(), [&](std::size_t i) { return rows[i]; });
    return result;
}

bool matches(const QAbstractItemModel& model, int row, const QString& text) {
    for (int c = 0; c < model.columnCount(); ++c)
        if (model.index(row, c).data().toString().contains(text, Qt::CaseInsensitive)) return true;
    return false;
}

}  // namespace

SortFilterModel::SortFilterModel(QObject* parent) : FlatProxyModel(parent) {
    connect(&watcher_, &QFutureWatcher<Order>::finished, this, [this] {
        if (!watcher_.isCanceled() && watcher_.future().resultCount() > 0) adopt(watcher_.result());
    });
}

SortFilterModel::~SortFilterModel() {
    stopWorker();
}

void SortFilterModel::stopWorker() {
    if (!job_) return;
    job_->isStopped = true;
    // All threads may be busy with something else for long: what has not begun is not waited for.
    if (job_->isTaken.exchange(true)) watcher_.waitForFinished();
    watcher_.setFuture({});
    job_.reset();
}

void SortFilterModel::setSourceModel(QAbstractItemModel* source) {
    stopWorker();
    if (sourceModel()) sourceModel()->disconnect(this);
    FlatProxyModel::setSourceModel(source);
    connect(source, &QAbstractItemModel::modelAboutToBeReset, this, &SortFilterModel::stopWorker);
    connect(source, &QAbstractItemModel::modelReset, this, [this] {
        order_ = {};
        rebuild();
    });
    connect(source, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
    connect(source, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& from, const QModelIndex& to) {
        for (int row = from.row(); row <= to.row(); ++row) {
            const QModelIndex first = mapFromSource(sourceModel()->index(row, from.column()));
            if (first.isValid()) emit dataChanged(first, first.siblingAtColumn(to.column()));
        }
    });
    rebuild();
}

std::function<SortFilterModel::Order()> SortFilterModel::orderTask(JobPtr job) const {
    return [source = sourceModel(), text = text_, filter = filter_, column = sortColumn_, direction = sortOrder_,
            job = std::move(job)] {
        Order order;
        const auto isStopped = [&job] { return job && job->isStopped.load(std::memory_order_relaxed); };
        if (job && job->isTaken.exchange(true)) return order;  // the source may be gone by now
        const int count = source->rowCount();
        for (int row = 0; row < count && !isStopped(); ++row)
            if ((!filter || filter(*source, row)) && (text.isEmpty() || matches(*source, row, text)))
                order.rows.push_back(row);
        if (column >= 0) order.rows = sortedRows(*source, std::move(order.rows), column, isStopped);
        if (isStopped()) return Order();
        if (column >= 0 && direction == Qt::DescendingOrder) std::ranges::reverse(order.rows);
        order.positions.assign(static_cast<std::size_t>(count), -1);
        for (std::size_t i = 0; i < order.rows.size(); ++i)
            order.positions[static_cast<std::size_t>(order.rows[i])] = static_cast<int>(i);
        return order;
    };
}

void SortFilterModel::rebuild() {
    stopWorker();
    if (!sourceModel()) return;
    if (sourceModel()->rowCount() <= kBackgroundRows) {
        adopt(orderTask({})());
        return;
    }
    job_ = std::make_shared<Job>();
    watcher_.setFuture(inPool(orderTask(job_)));
}

void SortFilterModel::adopt(Order order) {
    beginResetModel();
    order_ = std::move(order);
    endResetModel();
    emit filterChanged();
}

void SortFilterModel::sort(int column, Qt::SortOrder order) {
    if (column == sortColumn_ && order == sortOrder_) return;
    sortColumn_ = column;
    sortOrder_ = order;
    rebuild();
}

void SortFilterModel::setTextFilter(const QString& text) {
    if (text == text_) return;
    text_ = text;
    rebuild();
}

void SortFilterModel::setRowFilter(RowFilter filter) {
    filter_ = std::move(filter);
    rebuild();
}

int SortFilterModel::rows() const {
    return static_cast<int>(order_.rows.size());
}

int SortFilterModel::sourceRow(int row) const {
    return order_.rows[static_cast<std::size_t>(row)];
}

int SortFilterModel::rowOf(int sourceRow) const {
    const auto at = static_cast<std::size_t>(sourceRow);
    return at < order_.positions.size() ? order_.positions[at] : -1;
}

}  // namespace memplan::ui

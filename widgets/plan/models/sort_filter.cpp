// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/sort_filter.h"

#include "widgets/kit/controls/notices/fault.h"
#include "widgets/plan/marks/badge.h"

#include <QDeadlineTimer>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace memplan::ui {

namespace {

QVariant sortKey(const QAbstractItemModel& model, int row, int column) {
    const QModelIndex index = model.index(row, column);
    if (const QVariant own = index.data(SortRole); own.isValid()) return own;
    const QVariant raw = index.data(RawRole);
    return raw.isValid() ? raw : index.data();
}

/// Numbers of a column sort as numbers, the rest as text; empty cells come last in ascending order.
std::vector<std::size_t> sortedPlaces(const std::vector<QVariant>& keys) {
    std::vector<double> numbers(keys.size());
    bool numeric = true;
    for (std::size_t i = 0; numeric && i < keys.size(); ++i) {
        const bool empty = !keys[i].isValid() || keys[i].toString().isEmpty();
        numeric = empty || keys[i].typeId() != QMetaType::QString;
        numbers[i] = empty ? std::numeric_limits<double>::infinity() : keys[i].toDouble();
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (numeric) {
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
        return order;
    }
    std::vector<QString> texts(keys.size());
    std::ranges::transform(keys, texts.begin(), &QVariant::toString);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return texts[a] < texts[b]; });
    return order;
}

bool matches(const QAbstractItemModel& model, int row, const QString& text) {
    for (int c = 0; c < model.columnCount(); ++c)
        if (model.index(row, c).data().toString().contains(text, Qt::CaseInsensitive)) return true;
    return false;
}

}  // namespace

SortFilterModel::SortFilterModel(QObject* parent) : FlatProxyModel(parent) {
    slice_.setSingleShot(true);
    connect(&slice_, &QTimer::timeout, this, &SortFilterModel::copySlice);
    connect(&watcher_, &QFutureWatcher<Order>::finished, this, [this] {
        if (!watcher_.isCanceled() && watcher_.future().resultCount() > 0) adopt(watcher_.result());
    });
}

/// A worker that sorts already has all it needs and is not waited for: nobody takes what it finds.
void SortFilterModel::stop() {
    slice_.stop();
    keys_ = {};
    watcher_.setFuture({});
}

void SortFilterModel::setSourceModel(QAbstractItemModel* source) {
    stop();
    if (sourceModel()) sourceModel()->disconnect(this);
    FlatProxyModel::setSourceModel(source);
    connect(source, &QAbstractItemModel::modelAboutToBeReset, this, &SortFilterModel::stop);
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

SortFilterModel::Order SortFilterModel::sorted(Keys keys) {
    Order order;
    order.rows = std::move(keys.rows);
    if (keys.values.size() == order.rows.size()) {  // none when no column is sorted by
        const std::vector<int> unsorted = std::move(order.rows);
        const std::vector<std::size_t> places = sortedPlaces(keys.values);
        order.rows.resize(places.size());
        std::ranges::transform(places, order.rows.begin(), [&](std::size_t i) { return unsorted[i]; });
        if (keys.direction == Qt::DescendingOrder) std::ranges::reverse(order.rows);
    }
    order.positions.assign(static_cast<std::size_t>(keys.sourceRows), -1);
    for (std::size_t i = 0; i < order.rows.size(); ++i)
        order.positions[static_cast<std::size_t>(order.rows[i])] = static_cast<int>(i);
    return order;
}

bool SortFilterModel::passes(int row) const {
    const QAbstractItemModel& source = *sourceModel();
    return (!filter_ || filter_(source, row)) && (text_.isEmpty() || matches(source, row, text_));
}

void SortFilterModel::copyRow(int row) {
    if (!passes(row)) return;
    keys_.rows.push_back(row);
    if (sortColumn_ >= 0) keys_.values.push_back(sortKey(*sourceModel(), row, sortColumn_));
}

/// As much as a frame has time for; the rest when the events before it are done.
void SortFilterModel::copySlice() {
    constexpr int kSliceMs = 8;
    const QDeadlineTimer deadline(kSliceMs);
    try {
        while (keys_.copied < keys_.sourceRows && !deadline.hasExpired())
            copyRow(keys_.copied++);
    } catch (...) {
        keys_ = {};
        return reportFault(std::current_exception());
    }
    if (keys_.copied < keys_.sourceRows) return slice_.start();
    watcher_.setFuture(inPool([keys = std::exchange(keys_, {})] { return sorted(keys); }));
}

void SortFilterModel::rebuild() {
    stop();
    if (!sourceModel()) return;
    keys_.sourceRows = sourceModel()->rowCount();
    keys_.direction = sortOrder_;
    if (keys_.sourceRows > kBackgroundRows) return slice_.start();
    for (int row = 0; row < keys_.sourceRows; ++row)
        copyRow(row);
    adopt(sorted(std::exchange(keys_, {})));
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

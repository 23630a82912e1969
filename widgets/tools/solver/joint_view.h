// SPDX-License-Identifier: GPL-3.0-or-later
// The search over divisions and residency of a plan (user-experience 12.5): operations with a choice, what was
// committed and what was chosen, and the improvements in the order found.
#pragma once

#include "engine/plan/co_optimization.h"
#include "engine/plan/plan.h"

#include <QAbstractTableModel>
#include <QWidget>

class QLabel;
class QTableView;

namespace memplan::ui {

/// "sc0/4 ~sc2/2" of the trace as "c0 / 4, c2 / 2 (reduced)"; "one piece" for a division that cuts nothing.
[[nodiscard]] QString divisionText(const std::string& label);

class JointModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Operation, Committed, Options, Chosen, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setTrace(const CoOptimization* trace);
    [[nodiscard]] const std::string& op(int row) const { return rows_[static_cast<std::size_t>(row)].op; }
    [[nodiscard]] const std::string& committed(int row) const { return rows_[static_cast<std::size_t>(row)].from; }
    [[nodiscard]] bool isChanged(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::string op, from, to;
        std::vector<std::string> labels;
    };
    std::vector<Row> rows_;  ///< changed operations first, then schedule order
};

/// The combinations that were kept on the way to the winner.
class KeptModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Score, Change, OffChip, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setTrace(const CoOptimization* trace);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<CoOptimization::Leaf> leaves_;
    Bytes committed_ = 0;
};

class JointView final : public QWidget {
    Q_OBJECT
public:
    explicit JointView(QWidget* parent = nullptr);
    void setTrace(const CoOptimization* trace);  ///< nullptr: the search did not run
    [[nodiscard]] QTableView* table() const { return table_; }
    [[nodiscard]] static QString summary(const CoOptimization& trace);

signals:
    /// A row was chosen: show the operation's committed division beside its present one.
    void operationChosen(const QString& op, const QString& committed);

private:
    void fit(QTableView* table);

    JointModel* model_;
    KeptModel* kept_;
    QLabel* summary_;
    QTableView* table_;
    QLabel* keptTitle_;
    QTableView* keptTable_;
};

}  // namespace memplan::ui

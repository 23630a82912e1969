// SPDX-License-Identifier: GPL-3.0-or-later
// What each part of a compile gained in off-chip traffic (settings.md 1, preset `best`; `memplan explain --stats`), and
// the whole plans that were compared: a table with a bar for the share of the bytes that a part saved.
#pragma once

#include "engine/plan/gains.h"

#include <QAbstractTableModel>
#include <QWidget>

class QLabel;
class QTableView;

namespace memplan::ui {

class Chart;

/// Rows: the parts in pass order with the steps of a search below it, then the compared plans.
class GainModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Part, Before, After, Saved, Share, Seconds, ColumnCount };
    static constexpr int ShareRole = Qt::UserRole + 91;  ///< share of the bytes before that were saved, -1..1

    using QAbstractTableModel::QAbstractTableModel;
    void setPlan(const PlanPtr& plan);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Gain gain;
        bool isVariant = false, isKept = false;
    };
    [[nodiscard]] static std::optional<double> share(const Row& row);
    [[nodiscard]] QString text(const Row& row, int column) const;
    std::vector<Row> rows_;
};

class GainView final : public QWidget {
    Q_OBJECT
public:
    explicit GainView(QWidget* parent = nullptr);
    void setPlan(const PlanPtr& plan);
    [[nodiscard]] bool isEmpty() const { return model_->rowCount() == 0; }
    [[nodiscard]] QTableView* table() const { return table_; }
    [[nodiscard]] GainModel* model() const { return model_; }
    /// Bytes before the first part and of the plan, in one sentence; says so where nothing was gained.
    [[nodiscard]] static QString summary(const Plan& plan);

private:
    GainModel* model_;
    QLabel* summary_;
    Chart* chart_;
    QTableView* table_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a comparison: what changed, and every metric (user-experience 16.4, 16.5).
#pragma once

#include "engine/compare/comparison.h"
#include "widgets/plan/marks/badge.h"

#include <QAbstractTableModel>

#include <memory>

namespace memplan::ui {

/// A finished comparison with its plans; a value that views share.
struct Compared {
    PlanPtr a, b;
    QString nameA, nameB;  ///< as the plan switcher shows them
    compare::Comparison result;
};
using ComparedPtr = std::shared_ptr<const Compared>;

/// Plus for what came, minus for what left, tilde for the rest.
[[nodiscard]] BadgeText badgeOf(compare::ChangeKind kind);

class ChangeModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Sign, Kind, Item, Field, A, B, Delta, Rule, Effect, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setComparison(ComparedPtr compared);
    [[nodiscard]] const ComparedPtr& comparison() const { return compared_; }
    [[nodiscard]] const compare::Change& change(int row) const {
        return compared_->result.changes[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const compare::Change& c, int column) const;
    [[nodiscard]] QVariant raw(const compare::Change& c, int column) const;
    ComparedPtr compared_;
};

class MetricRowModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Metric, A, B, Delta, Change, Outcome, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setComparison(ComparedPtr compared);
    void setHeads(const QString& a, const QString& b) { headA_ = a, headB_ = b; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString headA_ = QStringLiteral("A"), headB_ = QStringLiteral("B");
    ComparedPtr compared_;
};

/// Colour of better and worse; ordinary text for the others.
[[nodiscard]] Token outcomeToken(compare::Outcome outcome);

}  // namespace memplan::ui

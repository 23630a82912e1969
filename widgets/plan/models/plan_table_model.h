// SPDX-License-Identifier: GPL-3.0-or-later
// Base of the thin table models over a plan: no copies, O(1) data, raw value and id as own roles
// (architecture 8.6).
#pragma once

#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"

#include <QAbstractTableModel>
#include <QPointer>

namespace memplan::ui {

struct TableColumn {
    QString head;
    bool numeric = false;
    QString help = {};    ///< tooltip of the head
    bool isSize = false;  ///< bytes, shown in the document's unit, which the head names
};

/// One cell; only what differs from an empty one is set.
struct TableCell {
    QString text;
    QVariant raw;  ///< empty = text
    std::optional<BadgeText> badge;
    std::optional<ItemId> link;
    std::optional<Token> color;
    bool strong = false;
    bool fixed = false;
};

class PlanTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    PlanTableModel(std::vector<TableColumn> columns, QObject* parent);

    void setPlan(PlanPtr plan);
    [[nodiscard]] const PlanPtr& plan() const { return plan_; }
    /// Follows the hub's plan from now on.
    void follow(SelectionHub* hub);
    /// Unit of sizes and base of addresses on screen; raw values and the heads of files stay bytes and decimal (2.10).
    void setUnits(const Units& units);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    [[nodiscard]] virtual int rows() const = 0;  ///< plan() is set
    /// Rows that are there without a plan; cell() and the others are asked for them with plan() unset.
    [[nodiscard]] virtual int rowsWithoutPlan() const { return 0; }
    [[nodiscard]] virtual TableCell cell(int row, int column) const = 0;
    [[nodiscard]] virtual ItemId idOf(int row) const = 0;
    [[nodiscard]] virtual QString tooltipOf(int row, int column) const;
    virtual void planChanged() {}  ///< before rows are asked for
    /// Column that names the row; the flag of a note stands in it.
    [[nodiscard]] virtual int nameColumn() const { return 0; }

    [[nodiscard]] const Units& units() const { return units_; }
    [[nodiscard]] static TableCell numberCell(qint64 value);
    [[nodiscard]] TableCell sizeCell(Bytes value) const;
    [[nodiscard]] TableCell addressCell(Address value) const;
    [[nodiscard]] static TableCell textCell(const QString& text);

private:
    std::vector<TableColumn> columns_;
    PlanPtr plan_;
    Units units_;
    QPointer<SelectionHub> hub_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A table in a dock with its filter: a row above it, and words where nothing passes.
#pragma once

#include <QString>

class QAbstractItemModel;
class QLineEdit;
class QTableView;
class QWidget;

namespace memplan::ui {
class RowScope;
class SelectionHub;
class SortFilterModel;
}  // namespace memplan::ui

namespace memplan::app {

/// The row above a table: how many rows there are, of which steps, and a filter over all columns. Hidden while the
/// table is short and seen whole.
struct FilterBar {
    QWidget* bar = nullptr;
    QLineEdit* filter = nullptr;
};
[[nodiscard]] FilterBar makeFilterBar(ui::SortFilterModel* sorted, const ui::RowScope* scope, const QString& name,
                                      QWidget* parent);

/// A filter or a range of steps that nothing passes says so in the place of the rows, with the way back.
void addNoMatch(QTableView* table, ui::SortFilterModel* sorted, ui::RowScope* scope, QLineEdit* filter);

/// A table below its filter, with its sorting and the one selection, ready for its dock.
struct PlanTable {
    QWidget* box = nullptr;
    QTableView* table = nullptr;
};
/// `name`: of the table, for screen readers too; `stretch`: the column that takes the room left.
[[nodiscard]] PlanTable makePlanTable(QAbstractItemModel* model, ui::SelectionHub* hub, const QString& name,
                                      int stretch, QWidget* parent);

}  // namespace memplan::app

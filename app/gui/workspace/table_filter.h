// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of a table in a dock: a row above it, and words where nothing passes.
#pragma once

#include <QString>

class QLineEdit;
class QTableView;
class QWidget;

namespace memplan::ui {
class RowScope;
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

}  // namespace memplan::app

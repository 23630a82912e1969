// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of a table in a dock: a row above it, and words where nothing passes.
#pragma once

#include <QString>

class QLineEdit;
class QTableView;
class QWidget;

namespace memplan::ui {
class SortFilterModel;
}  // namespace memplan::ui

namespace memplan::app {

/// The row above a table: how many rows there are, and a filter over all columns. Hidden while the table is short.
[[nodiscard]] QWidget* makeFilterBar(ui::SortFilterModel* sorted, const QString& name, QWidget* parent);

/// A filter that nothing passes says so in the place of the rows, with the way back.
void addNoMatch(QTableView* table, ui::SortFilterModel* sorted, QLineEdit* filter);

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// How every table and tree of the window is set up (design-system 6.1, 13.8).
#pragma once

#include "widgets/plan/selection_hub.h"

#include <QTableView>
#include <QTreeView>

namespace memplan::ui {

/// 24 px rows, no grid, no row numbers, row selection, cell delegate, middle elision. `stretch` is
/// the column that takes the rest,
/// once its columns are sized no less than its words need: a narrow table scrolls.
void setUpTable(QTableView* table, int stretchColumn);
void setUpTree(QTreeView* tree);
/// Column widths from the first 200 rows and the head, at most `maximum` px each.
void sizeColumns(QTableView* table, int maximum = 260);

/// Keeps the rows of a table and the hub's selection the same, both ways. The model answers IdRole.
void bindSelection(QAbstractItemView* view, SelectionHub* hub);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What every view offers for an item (user-experience 2.13): inspect, show elsewhere, hint, note, copy.
#pragma once

#include "widgets/plan/selection_hub.h"

class QAbstractItemView;
class QMenu;

namespace memplan::ui {

/// Adds them, with a separator at the end. `withKeys` names the keys of graphic views beside them.
void addItemActions(QMenu& menu, SelectionHub* hub, ItemId item, bool withKeys);

/// The same for the selected range of steps, if there is one: a note, or no range any more (2.16, 7.11).
void addRangeActions(QMenu& menu, SelectionHub* hub);

/// Gives a table or tree whose rows answer IdRole a context menu of these actions; Enter inspects.
void setUpItemMenu(QAbstractItemView* view, SelectionHub* hub);

}  // namespace memplan::ui

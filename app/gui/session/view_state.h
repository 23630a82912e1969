// SPDX-License-Identifier: GPL-3.0-or-later
// State of the views of one document - zoom, toggles, tabs, units, selection - as JSON and back (UX 3.11). Part of
// workspace files and sessions; what does not fit a document any more is left out.
#pragma once

#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"

#include <QByteArray>

#include <optional>

namespace memplan::app {

class Workspace;

[[nodiscard]] QByteArray viewStateJson(const Workspace& workspace, const ui::SelectionHub& hub, const ui::Units& units);
/// Units as they were, nothing when the state holds none.
[[nodiscard]] std::optional<ui::Units> unitsOf(const QByteArray& viewJson);
/// Toggles and selection at once, zooms as soon as the views know their contents.
void applyViewState(Workspace& workspace, ui::SelectionHub& hub, const QByteArray& viewJson);

}  // namespace memplan::app

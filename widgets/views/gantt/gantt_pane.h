// SPDX-License-Identifier: GPL-3.0-or-later
// The Gantt with its bar (colour by, lane, direction, metrics), legend, metrics panel and table twin.
#pragma once

#include "widgets/canvas/pane/view_pane.h"
#include "widgets/views/gantt/gantt_view.h"

namespace memplan::ui {

/// The pane's view() is a GanttView. Object name "ganttPane".
[[nodiscard]] ViewPane* makeGanttPane(SelectionHub* hub, QWidget* parent = nullptr);

}  // namespace memplan::ui

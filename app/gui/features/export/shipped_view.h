// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a view looks as one that was just opened: only then a command line can make its picture (user-experience
// 18.3).
#pragma once

namespace memplan::ui {
class GanttView;
class GraphicView;
}  // namespace memplan::ui

namespace memplan::app {

/// No toggle, filter, mode, group or unit was chosen that only this window knows. Zoom, selection, time cursor and
/// notes do not count.
[[nodiscard]] bool looksAsOpened(ui::GraphicView& view);
/// The same of a memory map, whatever plan is drawn over it.
[[nodiscard]] bool hasShippedToggles(const ui::GanttView& view);

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard travel over the panes on screen (F6), in reading order.
#pragma once

#include <vector>

class QWidget;

namespace memplan::app {

/// Gives the keyboard to the pane after (1) or before (-1) the one that has it.
void focusNextPane(std::vector<QWidget*> panes, int direction);

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// Size of a window when it first appears (user-experience 22.4).
#pragma once

class QWidget;

namespace memplan::ui {

/// Makes it this large, in px at 100 %, but never larger than the screen shows: with large text its content is
/// scrolled or shrinks.
void setScaledWindowSize(QWidget* window, int width, int height);

}  // namespace memplan::ui

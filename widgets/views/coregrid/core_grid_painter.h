// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the core grid (user-experience 6, picture d): cells, what a core holds and needs, split
// pictures with foreign and local parts, a core's memory at a step.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/coregrid/core_grid_state.h"

class QPainter;

namespace memplan::ui {

void paintCoreGrid(QPainter& painter, const CoreGridState& state, QSizeF size, const Theme& theme, TextCache& texts);

}  // namespace memplan::ui

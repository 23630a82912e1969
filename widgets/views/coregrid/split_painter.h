// SPDX-License-Identifier: GPL-3.0-or-later
// The right half of the core grid: the split of one op, or producer and consumer of one buffer side
// by side (user-experience 6.3, 6.4; design-system 11.5).
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/coregrid/core_grid_state.h"

class QPainter;

namespace memplan::ui {

void paintSplit(QPainter& painter, const CoreGridState& state, const CoreGridLayout& layout, const Theme& theme,
                TextCache& texts);

}  // namespace memplan::ui

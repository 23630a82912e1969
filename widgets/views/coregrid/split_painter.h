// SPDX-License-Identifier: GPL-3.0-or-later
// The right half of the core grid: the split of one op, or producer and consumer of one buffer side
// by side (user-experience 6.3, 6.4; design-system 11.5).
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/coregrid/core_grid_state.h"
#include "widgets/views/coregrid/data/split_fix.h"

class QPainter;

namespace memplan::ui {

void paintSplit(QPainter& painter, const CoreGridState& state, const CoreGridLayout& layout, const Theme& theme,
                TextCache& texts);

/// The words of CoreGridState::card for a pair; `fix` may be missing.
[[nodiscard]] CardText cardText(const Plan& plan, const SplitPair& pair, const std::optional<SplitFix>& fix);

/// The same for a buffer that no op writes: who reads it, and how they cut it.
[[nodiscard]] CardText inputCardText(const Plan& plan, BufferId buffer);

}  // namespace memplan::ui

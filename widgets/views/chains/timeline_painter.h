// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the timeline of reservations under the lanes (user-experience 8.6): bytes of a core at every position.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/chains/geometry/chain_layout.h"

class QPainter;

namespace memplan::ui {

void paintTimeline(QPainter& painter, const ChainViewState& state, const ChainLayout& layout, const Theme& theme,
                   TextCache& texts);

/// The colours of the stack: reserved for an earlier operation, inputs that are there, what the operation needs itself.
struct TimelineColours {
    QColor reserved, resident, own, edge;
};
[[nodiscard]] TimelineColours timelineColours(const Theme& theme);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws lanes, cells, edges, ends and merges of L1 chains, and the goals above them (user-experience 8.1 to 8.4, 8.8).
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/chains/geometry/chain_layout.h"

class QPainter;

namespace memplan::ui {

void paintChains(QPainter& painter, const ChainViewState& state, QSizeF size, const Theme& theme, TextCache& texts);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How links between chains look, for the picture and for its legend (user-experience 8.3).
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/chains/data/chain_data.h"

#include <vector>

namespace memplan::ui {

/// What a reader of the legend distinguishes.
enum class LinkLook { Operand0, Operand1, ThreeWay, Concat, Fork, Refused };

[[nodiscard]] LinkLook linkLook(const ChainLink& link);
[[nodiscard]] QColor linkColour(LinkLook look, const Theme& theme);
/// One entry for each look that the picture shows; refused merges only where they are drawn.
[[nodiscard]] std::vector<LegendEntry> linkLegend(const ChainData& data, bool showsRejected);

}  // namespace memplan::ui

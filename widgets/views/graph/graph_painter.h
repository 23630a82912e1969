// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the graph of a plan into any painter: screen, PNG, SVG, PDF (user-experience 5,
// design-system 11.4). A picture is a function of GraphViewState, theme and size.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/graph/graph_view_state.h"

namespace memplan::ui {

/// Rectangle of the bird's-eye map in a picture of this size.
[[nodiscard]] QRectF mapPlace(const GraphViewState& state, QSizeF size);

/// What a picture contained, for tests of the level of detail (20.2).
struct GraphPaintStats {
    int nodes = 0;
    int edges = 0;
    int texts = 0;
    int edgeLabels = 0;  ///< part of texts
};

GraphPaintStats paintGraph(QPainter& painter, const GraphViewState& state, QSizeF size, const Theme& theme,
                           TextCache& texts);

}  // namespace memplan::ui

// SPDX-License-Identifier: Apache-2.0
// Graphviz dot for a LayoutGraph. Not thread safe and not to be interrupted: the library keeps global
// state, so it runs in a process of its own that can be killed (architecture 8.9).
#pragma once

#include "widgets/graphlayout/layout_graph.h"

#include <optional>

namespace memplan::layout {

/// Positions by dot, nullopt when Graphviz fails. The graph must be free of faults.
[[nodiscard]] std::optional<graphlayout::LayoutResult> dotLayout(const graphlayout::LayoutGraph& graph);

}  // namespace memplan::layout

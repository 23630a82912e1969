// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes on their way from one layout to the next (user-experience 5.4).
#pragma once

#include "widgets/views/graph/scene/graph_scene.h"

namespace memplan::ui {

/// Boxes that both scenes show at different places; the animation runs below 200 of them.
[[nodiscard]] int movedCount(const GraphScene& from, const GraphScene& to);
/// `to` with every box that `from` shows too at `t` (0..1) of its way; edges are straight lines.
[[nodiscard]] GraphScene sceneBetween(const GraphScene& from, const GraphScene& to, double t);

}  // namespace memplan::ui

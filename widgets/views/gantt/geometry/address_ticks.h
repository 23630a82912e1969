// SPDX-License-Identifier: GPL-3.0-or-later
// Grid lines and labels of the address axis, also where its scale is broken.
#pragma once

#include "widgets/plan/units.h"
#include "widgets/views/gantt/geometry/gantt_layout.h"

#include <vector>

namespace memplan::ui {

/// Addresses of the grid lines and labels in sight, at least about `minPixels` apart.
[[nodiscard]] std::vector<double> addressTicks(const GanttLayout& layout, const Units& units, double minPixels);
/// An address in the unit chosen: "500 000 B", "512 KiB", "0x80000".
[[nodiscard]] QString addressLabel(double address, const Units& units);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of the residual view (design-system 2.5): by annotation, width class or node; neighbours alike in two tones.
#pragma once

#include "widgets/views/residual/geometry/residual_layout.h"
#include "widgets/views/residual/geometry/residual_raster.h"

namespace memplan::ui {

inline constexpr int kNamedAnnotations = 12;

/// Of the stack and the table of shares; -1 = all others.
[[nodiscard]] QColor annotationColour(const Theme& theme, const ResidualData& data, int annotation);
[[nodiscard]] ResidualInk residualInk(const Theme& theme, const ResidualData& data, ResidualColour by);
/// What the colours of the map mean, at most the first few.
[[nodiscard]] std::vector<LegendEntry> residualLegend(const ResidualData& data, ResidualColour by);

}  // namespace memplan::ui

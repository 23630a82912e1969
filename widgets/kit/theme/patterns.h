// SPDX-License-Identifier: GPL-3.0-or-later
// The pattern language of residency (design-system 2.4, 8.4, 13.10): tiles for the screen, true
// shapes for vector output, the same geometry in both.
#pragma once

#include "widgets/kit/theme/theme.h"
#include "widgets/kit/vector/pattern_ink.h"

#include <QRectF>

class QPainter;

namespace memplan::ui {

[[nodiscard]] Pattern patternOf(Residency r);
[[nodiscard]] PatternInk inkOf(const Theme& theme, Residency r);
/// Half way to the canvas; dots in high contrast, where both grounds are the canvas.
[[nodiscard]] PatternInk faintInk(const Theme& theme, Residency r);
[[nodiscard]] PatternInk errorHatch(const Theme& theme);              ///< over another fill
[[nodiscard]] PatternInk categoryInk(const Theme& theme, int index);  ///< pattern changes every 8

/// Fills rect; tiles are anchored at the origin of the painter's coordinates so that neighbours join.
void fillPattern(QPainter& painter, const QRectF& rect, const PatternInk& ink);
/// Legend swatch of 14 x 12 in the soft form with its edge.
void drawSwatch(QPainter& painter, const QRectF& rect, const PatternInk& ink, const QColor& edge);
/// True when the painter's device has no pixels (PDF, SVG, printer).
[[nodiscard]] bool isVectorDevice(const QPainter& painter);

}  // namespace memplan::ui

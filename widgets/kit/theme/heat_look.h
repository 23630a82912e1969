// SPDX-License-Identifier: GPL-3.0-or-later
// How marks of the heat scale stand out from the ground, and the whole scale in a legend (design-system 2.5).
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace memplan::ui {

class Theme;

/// Edge of a mark filled with theme.heat(t): the fill itself, or a control's line where the fill is too near to the
/// canvas to be seen (user-experience 22.3).
[[nodiscard]] QColor heatEdge(const Theme& theme, double t);

/// LegendEntry::heat of an entry that shows the whole scale, low to high, after its words.
inline constexpr double kWholeScale = 2;

/// The scale from low to high: one column to a pixel, with an edge.
void drawHeatScale(QPainter& painter, const QRectF& rect, const Theme& theme);

}  // namespace memplan::ui

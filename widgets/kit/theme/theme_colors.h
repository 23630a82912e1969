// SPDX-License-Identifier: GPL-3.0-or-later
// Lookups into the colour table, for Theme and for what is drawn in files.
#pragma once

#include "widgets/kit/theme/tokens.h"

#include <QColor>

#include <span>

namespace memplan::ui {

[[nodiscard]] QColor tokenColor(ThemeKind kind, Token token);
[[nodiscard]] QColor residencyBase(Residency r);
[[nodiscard]] QColor residencyEdge(ThemeKind kind, Residency r);
[[nodiscard]] QColor categoryColor(int index);
[[nodiscard]] QColor mixedColor(const QColor& a, const QColor& b, double amount);  ///< `amount` of a in b
[[nodiscard]] QColor viridisColor(double t);
[[nodiscard]] QColor differenceMiddle(ThemeKind kind);

/// Colours as the drawings of the help write them: text, second text, lines, raised ground, on chip soft and edge, off
/// chip soft and edge, accent, error.
[[nodiscard]] std::span<const QRgb, 10> drawingColors();

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Lookups into the colour table, for Theme only.
#pragma once

#include "widgets/kit/theme/theme.h"

namespace memplan::ui {

[[nodiscard]] QColor tokenColor(ThemeKind kind, Token token);
[[nodiscard]] QColor residencyBase(Residency r);
[[nodiscard]] QColor residencyEdge(ThemeKind kind, Residency r);
[[nodiscard]] QColor categoryColor(int index);
[[nodiscard]] QColor sizeClassColor(int index);
[[nodiscard]] QColor viridisColor(double t);
[[nodiscard]] QColor differenceMiddle(ThemeKind kind);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Theme, size of text, colours, motion, units and direction of the graph as the user prefers them (user-experience
// 3.13, 23).
#pragma once

#include "widgets/graphlayout/layout_graph.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QString>

namespace memplan::app {

/// "light", "dark", "high-contrast" or "highContrast"; anything else follows the system, whose window
/// colour says whether it is dark.
[[nodiscard]] ui::ThemeKind themeKindOf(const QString& name);
/// The theme of this kind with the preferred size of text and colours of memory.
[[nodiscard]] ui::Theme preferredTheme(ui::ThemeKind kind);
[[nodiscard]] ui::Units preferredUnits();
[[nodiscard]] graphlayout::Direction preferredDirection();
/// Gives the style in force the theme that the user prefers.
void applyPreferredTheme();
/// Gives the style in force this kind of theme; sizes and colours stay as they are.
void showThemeKind(ui::ThemeKind kind);
/// Takes over what the preferences say about motion.
void applyReducedMotion();

}  // namespace memplan::app

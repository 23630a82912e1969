// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths and fonts that a widget took from the theme when it was made follow a later change of the size of text
// (user-experience 3.13, 22.4). What listens to the change itself (withScale()) sets its own values afterwards.
#pragma once

class QWidget;

namespace memplan::ui {

/// Multiplies least and most sizes, own fonts, margins and spacings of layouts, sizes of icons and sections of heads by
/// `ratio`. Called before the style has the new size, so that values that come from the style are distinguished from
/// own ones.
void rescale(QWidget& widget, double ratio);

}  // namespace memplan::ui

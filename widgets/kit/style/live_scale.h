// SPDX-License-Identifier: GPL-3.0-or-later
// Columns follow a change of the size of text while the program runs (user-experience 3.13, 22.4): their widths were
// measured with the text as it was. Other lengths follow by withScale() or ask their layout.
#pragma once

class QWidget;

namespace memplan::ui {

/// Multiplies the sections of a horizontal head by `ratio`, those that nobody stretches; does nothing for other
/// widgets.
void rescale(QWidget& widget, double ratio);

}  // namespace memplan::ui

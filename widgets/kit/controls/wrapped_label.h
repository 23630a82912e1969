// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/kit/theme/theme.h"

class QLabel;

namespace memplan::ui {

/// Words that wrap and can be copied; they follow the size of text.
[[nodiscard]] QLabel* wrappedLabel(const QString& text, QWidget* parent, TextStyle style = TextStyle::Body);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What a pattern is drawn with: its shape and two colours (design-system 2.4).
#pragma once

#include <QColor>

namespace memplan::ui {

enum class Pattern { Solid, Stripes, Dots, HorizontalLines, CrossHatch, VerticalLines, ErrorHatch, ForeignHatch };

struct PatternInk {
    Pattern pattern = Pattern::Solid;
    QColor ground;  ///< invalid = transparent
    QColor ink;
    double inkOpacity = 1.0;
};

}  // namespace memplan::ui

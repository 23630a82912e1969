// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that a core has written, needs, and has in common, as bars with their figures (user-experience 6.4): where they
// stand.
#pragma once

#include "engine/base/ids.h"

#include <QRectF>

#include <array>

namespace memplan::ui {

struct ShareFigure {
    Bytes bytes = 0;
    double width = 0;  ///< of the figure in words, px
};

struct ShareBar {
    QRectF bar;
    double figure = 0;  ///< left end of the words, beside the bar
};

/// Rows of `rowHeight` from the top of `area`, on one scale. The longest bar leaves the widest figure its room, so that
/// no figure is drawn across a bar or beyond the area.
[[nodiscard]] std::array<ShareBar, 3> shareBars(const QRectF& area, double rowHeight,
                                                const std::array<ShareFigure, 3>& figures);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/share_bars.h"

#include <algorithm>

namespace memplan::ui {

std::array<ShareBar, 3> shareBars(const QRectF& area, double rowHeight, const std::array<ShareFigure, 3>& figures) {
    constexpr double kGap = 8, kThick = 14, kLeast = 24;
    const double widest = std::ranges::max_element(figures, {}, &ShareFigure::width)->width;
    const auto most =
        static_cast<double>(std::max<Bytes>(1, std::ranges::max_element(figures, {}, &ShareFigure::bytes)->bytes));
    const double unit = std::max(kLeast, area.width() - kGap - widest) / most;
    std::array<ShareBar, 3> bars;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double y = area.top() + static_cast<double>(i) * rowHeight;
        const double wide = std::max(1.0, unit * static_cast<double>(figures[i].bytes));
        bars[i].bar = QRectF(area.left(), y, wide, kThick).toAlignedRect();
        bars[i].figure = bars[i].bar.right() + kGap;
    }
    return bars;
}

}  // namespace memplan::ui

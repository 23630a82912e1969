// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/heat_look.h"

#include "widgets/kit/theme/theme.h"

#include <QPainter>

namespace memplan::ui {

QColor heatEdge(const Theme& theme, double t) {
    constexpr double kLeastContrast = 3.0;
    const QColor fill = theme.heat(t);
    return contrastRatio(fill, theme.color(Token::BgCanvas)) < kLeastContrast ? theme.color(Token::LineControl) : fill;
}

void drawHeatScale(QPainter& painter, const QRectF& rect, const Theme& theme) {
    for (int x = 0; x < static_cast<int>(rect.width()); ++x)
        painter.fillRect(QRectF(rect.left() + x, rect.top(), 1, rect.height()), theme.heat((x + 0.5) / rect.width()));
    painter.setPen(theme.color(Token::LineControl));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of a pass, in the timeline and in its legend (picture f).
#pragma once

#include "engine/plan/plan.h"
#include "widgets/kit/theme/theme.h"

#include <QPainter>

namespace memplan::ui {

enum class PassLook { Changed, Unchanged, Off };

[[nodiscard]] inline PassLook lookOf(const PassRun& run) {
    if (!run.ran) return PassLook::Off;
    return run.changed ? PassLook::Changed : PassLook::Unchanged;
}

/// `isChosen`: filled stronger where the pass changed something.
inline void paintPassBar(QPainter& painter, const QRectF& bar, PassLook look, const Theme& theme,
                         bool isChosen = false) {
    const Token fills[] = {Token::BgSelected, Token::BgHover, Token::BgCanvas};
    QColor fill = theme.color(fills[static_cast<int>(look)]);
    if (isChosen && look == PassLook::Changed)
        fill = Theme::mix(theme.color(Token::Accent), theme.color(Token::BgCanvas), 0.55);
    QPen edge(theme.color(look == PassLook::Changed ? Token::SelectOutline : Token::LineControl), 1);
    if (look == PassLook::Off) edge.setDashPattern({3, 2});
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(edge);
    painter.setBrush(fill);
    painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/chip.h"

#include "widgets/kit/theme/theme.h"

#include <QPainter>

namespace memplan::ui {

Chip::Chip(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setCheckable(true);
    setAccessibleName(text);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize Chip::sizeHint() const {
    const Theme& theme = themeOf(this);
    // 24 px high so that the target is large enough; the drawn chip is 20 (design-system 4.2).
    return {QFontMetrics(theme.font(TextStyle::Body)).horizontalAdvance(text()) + theme.px(16), theme.px(24)};
}

void Chip::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double inset = (height() - theme.px(20)) / 2.0;
    const QRectF box = QRectF(rect()).adjusted(0.5, inset + 0.5, -0.5, -inset - 0.5);
    const bool on = isChecked();
    painter.setPen(theme.color(on ? Token::SelectOutline : Token::Line1));
    painter.setBrush(theme.color(on ? Token::BgSelected : underMouse() ? Token::BgHover : Token::BgCanvas));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(!isEnabled() ? Token::TextDisabled : on ? Token::Text1 : Token::Text2));
    painter.drawText(rect(), Qt::AlignCenter, text());
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Token::SelectOutline), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), height() / 2.0, height() / 2.0);
}

}  // namespace memplan::ui

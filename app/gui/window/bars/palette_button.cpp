// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/palette_button.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/tools/palette/palette_delegate.h"

#include <QPainter>

namespace memplan::app {

using ui::Token;

PaletteButton::PaletteButton(QWidget* parent) : QAbstractButton(parent) {
    setObjectName(QStringLiteral("paletteButton"));
    setText(tr("Find anything"));
    setAccessibleName(text());
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void PaletteButton::setKeys(const QString& keys) {
    keys_ = keys;
    setToolTip(tr("Find anything (%1)").arg(keys));
    update();
}

QSize PaletteButton::sizeHint() const {
    const ui::Theme& theme = ui::themeOf(this);
    const int words = QFontMetrics(theme.font(ui::TextStyle::Body)).horizontalAdvance(text());
    const int cap = QFontMetrics(theme.font(ui::TextStyle::Small)).horizontalAdvance(keys_);
    return {words + cap + theme.px(68), theme.px(26)};
}

QSize PaletteButton::minimumSizeHint() const {
    const ui::Theme& theme = ui::themeOf(this);
    return {sizeHint().width() - theme.px(20), theme.px(26)};
}

void PaletteButton::paintEvent(QPaintEvent*) {
    const ui::Theme& theme = ui::themeOf(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme.color(hasFocus() ? Token::SelectOutline : Token::LineControl), hasFocus() ? 2 : 1));
    p.setBrush(theme.color(underMouse() ? Token::BgHover : Token::BgCanvas));
    const double inset = hasFocus() ? 1 : 0.5;
    p.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 4, 4);
    p.setRenderHint(QPainter::Antialiasing, false);
    const int icon = theme.px(16);
    ui::drawIcon(p, QRectF(theme.px(8), (height() - icon) / 2.0, icon, icon), QStringLiteral("search"),
                 theme.color(Token::Text2));
    int right = width() - theme.px(6);
    if (!keys_.isEmpty()) right -= ui::drawKeyCap(p, {right, height() / 2}, keys_) + theme.px(6);
    p.setFont(theme.font(ui::TextStyle::Body));
    p.setPen(theme.color(Token::Text3));
    const QRect words(theme.px(30), 0, right - theme.px(30), height());
    p.drawText(words, Qt::AlignVCenter, p.fontMetrics().elidedText(text(), Qt::ElideRight, words.width()));
}

}  // namespace memplan::app

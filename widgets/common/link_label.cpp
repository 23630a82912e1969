// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link_label.h"

#include "core/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace memplan::ui {

LinkLabel::LinkLabel(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setAccessibleName(text);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void LinkLabel::setStrong(bool strong) {
    strong_ = strong;
    updateGeometry();
}

QSize LinkLabel::sizeHint() const {
    const Theme& theme = themeOf(this);
    const QFontMetrics metrics(theme.font(strong_ ? TextStyle::Button : TextStyle::Body));
    return {metrics.horizontalAdvance(text()) + 2, std::max(theme.px(16), metrics.height())};
}

void LinkLabel::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    QFont font = theme.font(strong_ ? TextStyle::Button : TextStyle::Body);
    font.setUnderline(underMouse() && isEnabled());
    painter.setFont(font);
    painter.setPen(theme.color(isEnabled() ? Token::Accent : Token::TextDisabled));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, width()));
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Token::SelectOutline), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void LinkLabel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

}  // namespace memplan::ui

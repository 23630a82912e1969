// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/notices/link_label.h"

#include "widgets/kit/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <cmath>

namespace memplan::ui {

namespace {
constexpr double kRing = 2;  ///< px around what has the focus (UX 22.1)
constexpr int kSide = 3;     ///< px between the words and the ring
}  // namespace

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
    // Rounded up: half a px less, and the middle of the words is an ellipsis.
    const QFontMetricsF metrics(theme.font(strong_ ? TextStyle::Button : TextStyle::Body));
    const int width = static_cast<int>(std::ceil(metrics.horizontalAdvance(text())));
    return {width + 2 * kSide, std::max(theme.px(24), static_cast<int>(std::ceil(metrics.height())))};
}

void LinkLabel::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    QFont font = theme.font(strong_ ? TextStyle::Button : TextStyle::Body);
    font.setUnderline(underMouse() && isEnabled());
    painter.setFont(font);
    painter.setPen(theme.color(isEnabled() ? Token::Accent : Token::TextDisabled));
    const QRect room = rect().adjusted(kSide, 0, -kSide, 0);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, room.width()));
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Token::SelectOutline), kRing));
    painter.drawRect(QRectF(rect()).adjusted(kRing / 2, kRing / 2, -kRing / 2, -kRing / 2));
}

void LinkLabel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

}  // namespace memplan::ui

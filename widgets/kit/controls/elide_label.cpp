// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/elide_label.h"

#include "widgets/kit/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace memplan::ui {

QSize ElideLabel::minimumSizeHint() const {
    const QSize full = sizeHint();
    return {std::min(full.width(), themeOf(this).px(48)), full.height()};
}

void ElideLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.setFont(font());
    const QRect room = contentsRect();
    const auto side = static_cast<int>(alignment() & Qt::AlignHorizontal_Mask);
    painter.drawText(room, Qt::AlignVCenter | side | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

bool ElideLabel::event(QEvent* event) {
    const bool isCut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
    if (event->type() != QEvent::ToolTip || !isCut) return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

}  // namespace memplan::ui

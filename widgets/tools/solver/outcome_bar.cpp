// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/outcome_bar.h"

#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QPainter>

#include <algorithm>

namespace memplan::ui {

OutcomeBar::OutcomeBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("outcomeBar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("What the solver reached and its upper bound"));
}

void OutcomeBar::setPlan(const Plan& plan) {
    value_ = plan.metrics.pinnedBytes;
    bound_ = std::max(plan.metrics.upperBoundBytes, value_);
    isList_ = plan.ops.empty();
    setAccessibleDescription((isList_ ? tr("%1 placed, at most %2") : tr("%1 on chip, per core, at most %2"))
                                 .arg(exactBytes(value_), exactBytes(bound_)));
    update();
}

QSize OutcomeBar::sizeHint() const {
    return {themeOf(this).px(320), themeOf(this).px(52)};
}

QSize OutcomeBar::minimumSizeHint() const {
    return {themeOf(this).px(180), sizeHint().height()};
}

void OutcomeBar::paintEvent(QPaintEvent*) {
    if (bound_ <= 0) return;
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setFont(theme.font(TextStyle::Small));
    const QFontMetricsF metrics(painter.font());
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(QPointF(0, metrics.ascent() + 1), isList_ ? tr("Bytes placed") : tr("Bytes on chip, per core"));
    const double room = std::min<double>(width() - theme.px(12), theme.px(520));
    const QRectF track(0, theme.px(19), room, theme.px(12));
    painter.fillRect(track, theme.color(Token::Line1));
    QRectF done = track;
    done.setWidth(room * static_cast<double>(value_) / static_cast<double>(bound_));
    painter.fillRect(done, theme.color(Token::Accent));
    painter.setPen(QPen(theme.color(Token::Text1), 2));
    painter.drawLine(track.topRight() - QPointF(1, 3), track.bottomRight() + QPointF(-1, 3));
    const double below = track.bottom() + metrics.ascent() + theme.px(4);
    painter.setPen(theme.color(Token::Text1));
    painter.drawText(QPointF(0, below), exactBytes(value_));
    const QString bound = tr("at most %1").arg(exactBytes(bound_));
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(QPointF(track.right() - metrics.horizontalAdvance(bound), below), bound);
}

}  // namespace memplan::ui

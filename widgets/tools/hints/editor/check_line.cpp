// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/editor/check_line.h"

#include "widgets/kit/theme/icons.h"

#include <QPainter>

namespace memplan::ui {

namespace {

constexpr int kInset = 10, kIcon = 16, kGap = 6;

}  // namespace

CheckLine::CheckLine(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("hintCheck"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CheckLine::show(const HintCheck& check) {
    check_ = check;
    setAccessibleName(check.text);
    setToolTip(check.text);
    setVisible(!check.text.isEmpty());
    updateGeometry();
    update();
}

void CheckLine::clear() {
    show({});
}

QSize CheckLine::sizeHint() const {
    return {320, themeOf(this).px(26)};
}

QSize CheckLine::minimumSizeHint() const {
    return {80, themeOf(this).px(26)};
}

int CheckLine::heightForWidth(int width) const {
    const Theme& theme = themeOf(this);
    const int room = std::max(40, width - theme.px(2 * kInset + kIcon + kGap));
    const QRect text = QFontMetrics(theme.font(TextStyle::Body))
                           .boundingRect(QRect(0, 0, room, 1000), static_cast<int>(Qt::TextWordWrap), check_.text);
    // Never more than three lines: the rest is in the tooltip.
    return std::clamp(text.height() + theme.px(10), theme.px(26), theme.px(58));
}

void CheckLine::paintEvent(QPaintEvent*) {
    if (check_.text.isEmpty()) return;
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const Token token = check_.isOpen      ? Token::Text2
                        : !check_.ok       ? Token::Error
                        : check_.isWarning ? Token::Warning
                                           : Token::Good;
    const QString name = check_.isOpen      ? QStringLiteral("edit")
                         : !check_.ok       ? QStringLiteral("error")
                         : check_.isWarning ? QStringLiteral("warning")
                                            : QStringLiteral("check");
    drawIcon(painter, QRectF(theme.px(kInset), theme.px(5), theme.px(kIcon), theme.px(kIcon)), name,
             theme.color(token));
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(token == Token::Good ? Token::Text2 : token));
    const QRect room = rect().adjusted(theme.px(kInset + kIcon + kGap), theme.px(5), -theme.px(kInset), -theme.px(4));
    painter.drawText(room, static_cast<int>(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap), check_.text);
}

}  // namespace memplan::ui

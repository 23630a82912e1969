// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tooltip.h"

#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/as_written.h"
#include "widgets/plan/marks/badge.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScreen>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr int kPadding = 8, kWidth = 320, kDistance = 12;

QRect placed(QSize size, QPoint pointer, const QRect& avoid, const QRect& screen) {
    const auto clampX = [&](int x) {
        return std::clamp(x, screen.left(), std::max(screen.left(), screen.right() - size.width()));
    };
    const auto clampY = [&](int y) {
        return std::clamp(y, screen.top(), std::max(screen.top(), screen.bottom() - size.height()));
    };
    const int right = pointer.x() + kDistance, left = pointer.x() - kDistance - size.width();
    const int below = pointer.y() + kDistance, above = pointer.y() - kDistance - size.height();
    const int x = right + size.width() <= screen.right() ? right : left;
    const int y = below + size.height() <= screen.bottom() ? below : above;
    QRect box(QPoint(clampX(x), clampY(y)), size);
    if (!box.intersects(avoid)) return box;
    const std::array spots{QPoint(clampX(x), avoid.bottom() + 4), QPoint(clampX(x), avoid.top() - 4 - size.height()),
                           QPoint(avoid.right() + 4, clampY(y)), QPoint(avoid.left() - 4 - size.width(), clampY(y))};
    for (const QPoint spot : spots)
        if (const QRect candidate(spot, size); screen.contains(candidate) && !candidate.intersects(avoid))
            return candidate;
    return box;
}
}  // namespace

QString TooltipText::plain() const {
    QString out = title + (badge.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(badge));
    for (const TooltipLine& line : lines)
        out += QStringLiteral("\n%1\t%2").arg(line.label, line.value);
    return out;
}

ItemTooltip::ItemTooltip(QWidget* owner) : QWidget(owner, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QStringLiteral("itemTooltip"));
}

QSize ItemTooltip::sizeHint() const {
    const Theme& theme = themeOf(this);
    const QFontMetrics body(theme.font(TextStyle::Body)), strong(theme.font(TextStyle::BodyStrong));
    int labels = 0, values = 0;
    for (const TooltipLine& line : text_.lines) {
        labels = std::max(labels, body.horizontalAdvance(line.label));
        values = std::max(values, body.horizontalAdvance(line.value));
    }
    const int head = strong.horizontalAdvance(text_.title) + (text_.badge.isEmpty() ? 0 : theme.px(22));
    const int width = std::min(theme.px(kWidth), std::max(head, labels + theme.px(12) + values) + 2 * kPadding);
    const int line = std::max(theme.px(16), body.height());
    return {width, 2 * kPadding + line * (1 + static_cast<int>(text_.lines.size())) + (text_.lines.empty() ? 0 : 4)};
}

void ItemTooltip::showFor(const TooltipText& text, QPoint pointer, const QRect& avoid) {
    if (held_) return;
    text_ = text;
    if (text_.lines.size() > 7) text_.lines.resize(7);
    const QScreen* screen = QApplication::screenAt(pointer);
    if (!screen) screen = QApplication::primaryScreen();
    setGeometry(placed(sizeHint(), pointer, avoid, screen->availableGeometry()));
    update();
    show();
}

void ItemTooltip::setHeld(bool held) {
    if (held == held_ || (held && !isVisible())) return;
    held_ = held;
    delete editor_;
    editor_ = nullptr;
    if (!held) {
        hide();
        return;
    }
    editor_ = new QPlainTextEdit(text_.plain(), this);
    // Copied as it stands: the letters stay, the font leaves them alone (asWritten()).
    QFont font = editor_->font();
    font.setStyleStrategy(QFont::PreferNoShaping);
    editor_->setFont(font);
    editor_->setReadOnly(true);
    editor_->setFrameShape(QFrame::NoFrame);
    editor_->setGeometry(rect().adjusted(kPadding - 4, kPadding - 4, -4, -4));
    editor_->viewport()->setAutoFillBackground(false);
    editor_->show();
}

void ItemTooltip::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgRaised));
    painter.setPen(theme.color(Token::LineControl));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (editor_) return;
    const QFontMetrics metrics(theme.font(TextStyle::Body));
    const int line = std::max(theme.px(16), metrics.height());
    QRect row(kPadding, kPadding, width() - 2 * kPadding, line);
    painter.setFont(theme.font(TextStyle::BodyStrong));
    painter.setPen(theme.color(Token::Text1));
    const int badgeSpace = text_.badge.isEmpty() ? 0 : theme.px(22);
    const QString title =
        painter.fontMetrics().elidedText(asWritten(text_.title), Qt::ElideMiddle, row.width() - badgeSpace);
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, title);
    if (badgeSpace) {
        const int x = row.left() + painter.fontMetrics().horizontalAdvance(title) + theme.px(6);
        drawBadge(painter, QRectF(x, row.center().y() - 7.5, 16, 16),
                  residencyBadge(theme, text_.badge, text_.residency));
    }
    painter.setFont(theme.font(TextStyle::Body));
    int labels = 0;
    for (const TooltipLine& l : text_.lines)
        labels = std::max(labels, metrics.horizontalAdvance(l.label));
    row.translate(0, 4);
    for (const TooltipLine& l : text_.lines) {
        row.translate(0, line);
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, l.label);
        const QRect value = row.adjusted(labels + (labels ? theme.px(12) : 0), 0, 0, 0);
        painter.setPen(theme.color(Token::Text1));
        painter.drawText(value, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(asWritten(l.value), Qt::ElideRight, value.width()));
    }
}

void ItemTooltip::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(text_.plain());
    else
        QWidget::keyPressEvent(event);
}

void ItemTooltip::leaveEvent(QEvent*) {
    if (held_ && !QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)) setHeld(false);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/empty_block.h"

#include "widgets/kit/theme/icons.h"

#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyle>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr int kWidth = 360, kGap = 8;

/// At the foot of the block, in the middle, as wide as its words.
void place(QPushButton& button, const QSize& block) {
    const QSize hint = button.sizeHint();
    button.setGeometry((block.width() - hint.width()) / 2, block.height() - hint.height(), hint.width(), hint.height());
}

}  // namespace

EmptyBlock::EmptyBlock(QWidget* parent) : QWidget(parent), button_(new QPushButton(this)) {
    connect(button_, &QPushButton::clicked, this, [this] { emit triggered(text_.actionKey); });
}

void EmptyBlock::setText(const EmptyText& text) {
    text_ = text;
    button_->setText(text.action);
    button_->setVisible(!text.action.isEmpty());
    place(*button_, size());
    setAccessibleName(text.sentence + u' ' + text.next);
    updateGeometry();
    update();
}

void EmptyBlock::centreIn(const QRect& room) {
    room_ = room;
    const int width = widthIn(room.width());
    const int height = std::clamp(room.height(), leastHeightFor(width), heightFor(width));
    const QSize block = QSize(width, height).boundedTo(parentWidget()->size());
    const bool fits = block.height() <= room.height();
    setGeometry(QStyle::alignedRect(Qt::LeftToRight, Qt::AlignHCenter | (fits ? Qt::AlignVCenter : Qt::AlignBottom),
                                    block, room));
}

QSize EmptyBlock::textSize(const QString& text, int width) const {
    const QFontMetrics metrics(themeOf(this).font(TextStyle::Body));
    return metrics.boundingRect(QRect(0, 0, width, 1000), Qt::TextWordWrap | Qt::AlignHCenter, text).size();
}

int EmptyBlock::textHeight(const QString& text, int width) const {
    return textSize(text, width).height();
}

/// No wider than its lines and its button: what stands beside them in a picture stays seen.
int EmptyBlock::widthIn(int room) const {
    const int most = std::min(themeOf(this).px(kWidth), room);
    const int button = text_.action.isEmpty() ? 0 : button_->sizeHint().width();
    const int lines = std::max(textSize(text_.sentence, most).width(), textSize(text_.next, most).width());
    return std::min(most, std::max(button, lines) + 2 * kGap);
}

int EmptyBlock::heightFor(int width) const {
    return themeOf(this).px(20) + kGap + textHeight(text_.next, width) + kGap + leastHeightFor(width);
}

/// What happened, and the button.
int EmptyBlock::leastHeightFor(int width) const {
    const int button = text_.action.isEmpty() ? 0 : button_->sizeHint().height() + kGap;
    return textHeight(text_.sentence, width) + kGap / 2 + button;
}

QSize EmptyBlock::sizeHint() const {
    const int width = themeOf(this).px(kWidth);
    return {width, heightFor(width)};
}

/// The button has other words or another font.
bool EmptyBlock::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) {
        place(*button_, size());
        updateGeometry();
        if (!room_.isNull()) centreIn(room_);
    }
    return QWidget::event(event);
}

void EmptyBlock::resizeEvent(QResizeEvent*) {
    place(*button_, size());
}

void EmptyBlock::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const int side = theme.px(20);
    // Where it is low the icon goes first, then the advice; what happened and the button stay.
    const int lacking = heightFor(width()) - height();
    const bool hasIcon = lacking <= 0, hasAdvice = lacking <= side + kGap;
    if (hasIcon)
        drawIcon(painter, QRectF((width() - side) / 2.0, 0, side, side), text_.iconName, theme.color(Token::Text3));
    painter.setFont(theme.font(TextStyle::Body));
    int y = hasIcon ? side + kGap : 0;
    const auto line = [&](const QString& text, Token token) {
        const int h = textHeight(text, width());
        painter.setPen(theme.color(token));
        painter.drawText(QRect(0, y, width(), h), Qt::TextWordWrap | Qt::AlignHCenter, text);
        y += h + kGap / 2;
    };
    line(text_.sentence, Token::Text1);
    if (hasAdvice) line(text_.next, Token::Text2);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/section.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

namespace memplan::ui {

SectionHead::SectionHead(const QString& name, QWidget* parent) : QWidget(parent), name_(name) {
    setScaledSize(this, -1, 26);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setOpen(true);
}

/// From the chevron to the end of the head.
QRect SectionHead::nameRoom() const {
    const Theme& theme = themeOf(this);
    return rect().adjusted(theme.px(30), 0, -theme.px(8), 0);
}

QString SectionHead::shownName() const {
    const QFontMetrics metrics(themeOf(this).font(TextStyle::BodyStrong));
    return metrics.elidedText(name_, Qt::ElideRight, nameRoom().width());
}

bool SectionHead::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || shownName() == name_) return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), name_, this);
    return true;
}

QSize SectionHead::sizeHint() const {
    return {120, themeOf(this).px(26)};
}

void SectionHead::setCount(const QString& count) {
    count_ = count;
    update();
}

void SectionHead::setOpen(bool open) {
    const bool changed = open != open_;
    open_ = open;
    setAccessibleName(tr("%1, %2").arg(name_, open ? tr("open") : tr("closed")));
    update();
    if (changed) emit toggled(open);
}

void SectionHead::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) setOpen(!open_);
}

void SectionHead::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        setOpen(!open_);
        return;
    case Qt::Key_Right:
        setOpen(true);
        return;
    case Qt::Key_Left:
        setOpen(false);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SectionHead::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    if (underMouse()) painter.fillRect(rect(), theme.color(Token::BgHover));
    const int side = theme.px(16);
    drawIcon(painter, QRectF(theme.px(8), (height() - side) / 2.0, side, side),
             open_ ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), theme.color(Token::Text3));
    QRect text = nameRoom();
    painter.setFont(theme.font(TextStyle::BodyStrong));
    painter.setPen(theme.color(Token::Text1));
    painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine, shownName());
    text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(shownName()) + theme.px(6));
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text3));
    if (text.isValid())
        painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(count_, Qt::ElideRight, text.width()));
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Token::SelectOutline), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

Section::Section(const QString& name, QWidget* parent)
    : QWidget(parent), head_(new SectionHead(name, this)), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 1);
    column_->setSpacing(0);
    column_->addWidget(head_);
    setObjectName(QStringLiteral("section/") + name);
    connect(head_, &SectionHead::toggled, this, [this](bool open) {
        if (content_) content_->setVisible(open);
    });
}

void Section::setContent(QWidget* content) {
    if (content_) {
        column_->removeWidget(content_);
        content_->hide();
        content_->deleteLater();
    }
    content_ = content;
    if (!content_) return;
    column_->addWidget(content_);
    content_->setVisible(head_->isOpen());
}

void Section::setOpen(bool open) {
    head_->setOpen(open);
}

void Section::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(0, height() - 1, width(), 1, themeOf(this).color(Token::Line2));
}

}  // namespace memplan::ui

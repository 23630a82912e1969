// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/drag_confirm.h"

#include "widgets/kit/style/studio_style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace memplan::ui {

DragConfirm::DragConfirm(QWidget* parent)
    : QWidget(parent), question_(new QLabel(this)), warning_(new QLabel(this)),
      add_(new QPushButton(tr("Add hint"), this)) {
    const Theme& theme = themeOf(parent);
    setObjectName(QStringLiteral("dragConfirm"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(theme.px(10), theme.px(5), theme.px(6), theme.px(5));
    line->setSpacing(theme.px(8));
    question_->setTextFormat(Qt::PlainText);
    question_->setFont(theme.font(TextStyle::BodyStrong));
    warning_->setTextFormat(Qt::PlainText);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    add_->setObjectName(QStringLiteral("dragAccept"));
    cancel->setObjectName(QStringLiteral("dragReject"));
    setPrimary(add_, true);
    for (QWidget* part : {static_cast<QWidget*>(question_), static_cast<QWidget*>(warning_),
                          static_cast<QWidget*>(add_), static_cast<QWidget*>(cancel)})
        line->addWidget(part);
    connect(add_, &QPushButton::clicked, this, &DragConfirm::accepted);
    connect(cancel, &QPushButton::clicked, this, &DragConfirm::rejected);
    hide();
}

QString DragConfirm::question() const {
    return question_->text();
}

void DragConfirm::ask(const QString& question, const QString& warning, QPoint at) {
    const Theme& theme = themeOf(this);
    question_->setText(question);
    warning_->setText(warning);
    warning_->setVisible(!warning.isEmpty());
    QPalette palette = warning_->palette();
    palette.setColor(QPalette::WindowText, theme.color(Token::Error));
    warning_->setPalette(palette);
    setAccessibleName(question + u' ' + warning);
    adjustSize();
    const QWidget* parent = parentWidget();
    move(std::clamp(at.x(), 4, std::max(4, parent->width() - width() - 4)),
         std::clamp(at.y(), 4, std::max(4, parent->height() - height() - 4)));
    show();
    raise();
    add_->setFocus();
}

void DragConfirm::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(Token::LineControl));
    painter.setBrush(theme.color(Token::BgRaised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void DragConfirm::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return emit rejected();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return emit accepted();
    QWidget::keyPressEvent(event);
}

}  // namespace memplan::ui

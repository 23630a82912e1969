// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/notices/strip.h"

#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"

#include <QHBoxLayout>
#include <QPainter>

namespace memplan::ui {

namespace {
Token textToken(Strip::Kind kind) {
    switch (kind) {
    case Strip::Kind::Info:
        return Token::Accent;
    case Strip::Kind::Warning:
        return Token::Warning;
    case Strip::Kind::Error:
        return Token::Error;
    case Strip::Kind::Grey:
        break;
    }
    return Token::Text2;
}

Token groundToken(Strip::Kind kind) {
    switch (kind) {
    case Strip::Kind::Info:
        return Token::InfoBg;
    case Strip::Kind::Warning:
        return Token::WarningBg;
    case Strip::Kind::Error:
        return Token::ErrorBg;
    case Strip::Kind::Grey:
        break;
    }
    return Token::BgHover;
}
}  // namespace

Strip::Strip(QWidget* parent) : QWidget(parent), actions_(new QHBoxLayout(this)) {
    setScaledMargins(actions_, {0, 0, 10, 0}, 12);
    actions_->addStretch();
    setScaledSize(this, -1, 24);
    hide();
}

QSize Strip::sizeHint() const {
    return {200, themeOf(this).px(24)};
}

void Strip::setNotice(Kind kind, const QString& iconName, const QString& text) {
    kind_ = kind;
    icon_ = iconName;
    text_ = text;
    setAccessibleName(text);
    setToolTip(text);
    clearActions();
    show();
    update();
    emit changed();
}

void Strip::addAction(const QString& text, const QString& key) {
    auto* link = new LinkLabel(text, this);
    link->setStrong(true);
    link->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);  // the notice gives way, which has a tooltip
    connect(link, &LinkLabel::clicked, this, [this, key] { emit triggered(key); });
    actions_->addWidget(link);
}

void Strip::clearActions() {
    while (actions_->count() > 1) {
        QLayoutItem* item = actions_->takeAt(1);
        if (QWidget* link = item->widget()) {
            link->hide();  // it may be its click that brought us here: it goes later
            link->deleteLater();
        }
        delete item;
    }
}

void Strip::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(groundToken(kind_)));
    if (theme.kind() == ThemeKind::HighContrast) {
        painter.setPen(theme.color(textToken(kind_)));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    const QColor color = theme.color(textToken(kind_));
    const int side = theme.px(16);
    drawIcon(painter, QRectF(theme.px(10), (height() - side) / 2.0, side, side), icon_, color);
    int right = width() - theme.px(10);
    for (int i = 1; i < actions_->count(); ++i)
        if (const QWidget* w = actions_->itemAt(i)->widget(); w && w->isVisible()) right = std::min(right, w->x());
    painter.setFont(theme.font(TextStyle::Button));
    painter.setPen(color);
    const QRect text(theme.px(34), 0, right - theme.px(42), height());
    painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text_, Qt::ElideRight, text.width()));
}

}  // namespace memplan::ui

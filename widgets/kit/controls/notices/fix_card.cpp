// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/notices/fix_card.h"

#include "widgets/kit/style/studio_style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace memplan::ui {

FixCard::FixCard(const FixOffer& fix, bool primary, QWidget* parent) : QWidget(parent) {
    const Theme& theme = themeOf(parent);
    setAccessibleName(fix.title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(10), theme.px(8), theme.px(10), theme.px(10));
    column->setSpacing(theme.px(4));
    const auto text = [&](const QString& words, TextStyle style, Token token) {
        auto* label = new QLabel(words, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setFont(theme.font(style));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.color(token));
        label->setPalette(palette);
        column->addWidget(label);
    };
    text(fix.title, TextStyle::BodyStrong, Token::Text1);
    text(fix.text, TextStyle::Body, Token::Text2);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme.px(6));
    auto* apply = new QPushButton(fix.applyText, this);
    setPrimary(apply, primary && !fix.worsens);
    apply->setAccessibleDescription(fix.title);
    connect(apply, &QPushButton::clicked, this, &FixCard::applied);
    row->addWidget(apply);
    if (!fix.previewText.isEmpty()) {
        auto* preview = new QPushButton(fix.previewText, this);
        preview->setObjectName(QStringLiteral("fixPreview"));
        preview->setToolTip(tr("Shows the plan with this change, the present one dashed over it; Esc leaves it, and "
                               "nothing has changed"));
        preview->setAccessibleDescription(fix.title);
        connect(preview, &QPushButton::clicked, this, &FixCard::previewed);
        row->addWidget(preview);
    }
    row->addStretch(1);
    column->addSpacing(theme.px(2));
    column->addLayout(row);
}

void FixCard::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(Token::Line1));
    painter.setBrush(theme.color(Token::BgRaised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

}  // namespace memplan::ui

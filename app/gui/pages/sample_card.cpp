// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/sample_card.h"

#include "app/gui/pages/thumbnail.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QEvent>
#include <QPainter>

namespace memplan::app {

using ui::TextStyle;
using ui::Token;

SampleCard::SampleCard(io::SampleInfo sample, QWidget* parent) : QAbstractButton(parent), sample_(std::move(sample)) {
    setObjectName(QStringLiteral("sampleCard_") + ui::fromStd(sample_.id));
    setAccessibleName(ui::fromStd(sample_.title));
    setAccessibleDescription(ui::fromStd(sample_.question));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    QStringList help{ui::fromStd(sample_.sentence)};
    for (const std::string& note : sample_.notes)
        help << ui::fromStd(note);
    setToolTip(help.join(QStringLiteral("\n\n")));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SampleCard::setFacts(CardFacts facts) {
    facts_ = std::move(facts);
    update();
}

QSize SampleCard::sizeHint() const {
    const ui::Theme& theme = ui::themeOf(this);
    return {theme.px(304), theme.px(266)};
}

QSize SampleCard::minimumSizeHint() const {
    const ui::Theme& theme = ui::themeOf(this);
    return {theme.px(230), theme.px(266)};
}

bool SampleCard::event(QEvent* event) {
    const bool changes = event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave ||
                         event->type() == QEvent::Enter || event->type() == QEvent::Leave;
    if (changes) update();
    return QAbstractButton::event(event);
}

void SampleCard::paintEvent(QPaintEvent*) {
    const ui::Theme& theme = ui::themeOf(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const bool marked = hasFocus() || underMouse();
    const QRectF frame = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    p.setPen(QPen(theme.color(marked ? Token::SelectOutline : Token::Line1), marked ? 2 : 1));
    p.setBrush(theme.color(Token::BgRaised));
    p.drawRoundedRect(frame, 4, 4);
    p.setRenderHint(QPainter::Antialiasing, false);
    const double pictureHeight = theme.px(128);
    p.setPen(theme.color(Token::Line1));
    p.drawLine(QPointF(frame.left(), pictureHeight), QPointF(frame.right(), pictureHeight));
    const double inset = theme.px(20);
    if (facts_.plan) {
        paintThumbnail(p, QRectF(inset, inset, width() - 2 * inset, pictureHeight - 2 * inset + 4), *facts_.plan,
                       theme);
    }
    const double left = theme.px(14);
    const double wide = width() - 2 * left;
    double y = pictureHeight + theme.px(12);
    const QFont strong = theme.font(TextStyle::BodyStrong);
    const QFont body = theme.font(TextStyle::Body);
    const QString id = ui::fromStd(sample_.id);
    p.setFont(body);
    p.setPen(theme.color(Token::Text3));
    const double idWidth = QFontMetricsF(body).horizontalAdvance(id) + theme.px(8);
    p.drawText(QRectF(left, y, idWidth, theme.px(18)), Qt::AlignLeft | Qt::AlignVCenter, id);
    p.setFont(strong);
    p.setPen(theme.color(Token::Text1));
    const QString title = QFontMetricsF(strong).elidedText(ui::fromStd(sample_.title), Qt::ElideRight, wide - idWidth);
    p.drawText(QRectF(left + idWidth, y, wide - idWidth, theme.px(18)), Qt::AlignLeft | Qt::AlignVCenter, title);
    y += theme.px(22);
    p.setFont(body);
    p.setPen(theme.color(Token::Text2));
    p.drawText(QRectF(left, y, wide, theme.px(50)), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
               ui::fromStd(sample_.question));
    p.setPen(theme.color(Token::Text3));
    if (!facts_.measured.isEmpty()) {
        p.drawText(QRectF(left, height() - theme.px(52), wide, theme.px(18)), Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(body).elidedText(facts_.measured, Qt::ElideRight, wide));
    }
    const QString size = QFontMetricsF(body).elidedText(ui::fromStd(sample_.sizeText), Qt::ElideRight, wide);
    p.drawText(QRectF(left, height() - theme.px(32), wide, theme.px(18)), Qt::AlignLeft | Qt::AlignVCenter, size);
}

}  // namespace memplan::app

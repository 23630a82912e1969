// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/problems/refusal_pane.h"

#include "widgets/kit/style/studio_style.h"
#include "widgets/views/inspector/inspector_rows.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace memplan::ui {

RefusalPane::RefusalPane(QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("refusalPane"));
    setAccessibleName(tr("Why it is off chip and what would help"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void RefusalPane::show(const Refusal& refusal) {
    const bool isSame = refusal.title == refusal_.title && refusal.code == refusal_.code;
    const int scroll = isSame ? verticalScrollBar()->value() : 0;
    refusal_ = refusal;
    build();
    verticalScrollBar()->setValue(scroll);
    QScrollArea::show();
}

void RefusalPane::setState(const QString& text) {
    refusal_.state = text;
    if (state_ != nullptr) state_->setText(text);
}

void RefusalPane::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    const bool isLook = event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange;
    if (isLook && !refusal_.title.isEmpty()) QMetaObject::invokeMethod(this, &RefusalPane::build, Qt::QueuedConnection);
}

void RefusalPane::build() {
    const Theme& theme = themeOf(this);
    auto* body = new QWidget;
    body->setAutoFillBackground(true);
    auto* line = new QHBoxLayout(body);
    line->setContentsMargins(theme.px(10), theme.px(6), theme.px(10), theme.px(8));
    line->setSpacing(theme.px(14));
    line->addWidget(evidenceColumn(body), 1);
    line->addWidget(fixColumn(body), 1);
    // The old body may be the sender of the signal that brought us here.
    if (QWidget* old = takeWidget()) old->deleteLater();
    setWidget(body);
    setAccessibleDescription(refusal_.title + QStringLiteral(": ") + refusal_.sentence);
}

QWidget* RefusalPane::evidenceColumn(QWidget* parent) {
    const Theme& theme = themeOf(this);
    auto* box = new QWidget(parent);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));
    auto* title = new QLabel(tr("Why %1 is off chip").arg(refusal_.title), box);
    title->setTextFormat(Qt::PlainText);
    title->setFont(theme.font(TextStyle::BodyStrong));
    title->setWordWrap(true);
    column->addWidget(title);
    const auto text = [&](const char* name, const QString& words, Token token) {
        QWidget* label = makeText(words.toHtmlEscaped(), token, box);
        label->setObjectName(QLatin1String(name));
        column->addWidget(label);
    };
    if (!refusal_.message.isEmpty()) text("refusalMessage", refusal_.code + u' ' + refusal_.message, Token::Text1);
    // It is not said twice.
    if (!refusal_.messageSaysReason) text("refusalReason", refusal_.sentence, Token::Text2);
    if (!refusal_.advice.isEmpty()) text("refusalAdvice", tr("What to do: %1").arg(refusal_.advice), Token::Text2);
    for (const InspectorRow& row : refusal_.evidence) {
        auto* widget = new InspectorRowWidget(row, false, RowForm::Wide, box);
        connect(widget, &InspectorRowWidget::linkActivated, this, &RefusalPane::linkActivated);
        column->addWidget(widget);
    }
    column->addStretch(1);
    return box;
}

QWidget* RefusalPane::fixColumn(QWidget* parent) {
    const Theme& theme = themeOf(this);
    auto* box = new QWidget(parent);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(6));
    auto* head = new QHBoxLayout;
    head->setSpacing(theme.px(6));
    state_ = new QLabel(refusal_.state, box);
    state_->setObjectName(QStringLiteral("refusalState"));
    state_->setTextFormat(Qt::PlainText);
    state_->setWordWrap(true);
    state_->setFont(theme.font(TextStyle::BodyStrong));
    head->addWidget(state_, 1);
    if (!refusal_.searchText.isEmpty()) {
        auto* search = new QPushButton(refusal_.searchText, box);
        search->setObjectName(QStringLiteral("refusalSearch"));
        connect(search, &QPushButton::clicked, this, &RefusalPane::searchClicked);
        head->addWidget(search, 0, Qt::AlignTop);
    }
    column->addLayout(head);
    for (int i = 0; i < static_cast<int>(refusal_.fixes.size()); ++i) {
        auto* card = new FixCard(refusal_.fixes[static_cast<std::size_t>(i)], i == 0, box);
        connect(card, &FixCard::applied, this, [this, i] { emit fixApplied(i); });
        connect(card, &FixCard::previewed, this, [this, i] { emit fixPreviewed(i); });
        column->addWidget(card);
    }
    if (!refusal_.fixAllText.isEmpty()) {
        auto* all = new QPushButton(refusal_.fixAllText, box);
        all->setObjectName(QStringLiteral("fixAll"));
        all->setToolTip(tr("Takes every buffer of this kind in turn and keeps the smallest change that helps; "
                           "one step of the undo history"));
        connect(all, &QPushButton::clicked, this, &RefusalPane::fixAllClicked);
        column->addWidget(all, 0, Qt::AlignLeft);
    }
    column->addStretch(1);
    return box;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_rows.h"

#include "widgets/kit/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <initializer_list>

namespace memplan::ui {

namespace {

constexpr int kLabelWidth = 104, kNarrowLabel = 82;

QToolButton* smallButton(const QString& iconName, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    const Theme& theme = themeOf(parent);
    button->setIconSize(QSize(theme.px(14), theme.px(14)));
    // Large enough to hit (UX 22.4); a row that has one is as high.
    button->setFixedSize(theme.px(24), theme.px(24));
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

constexpr qsizetype kLongWord = 20;  ///< characters that fit the column of values

/// Long names may be parted after a sign, and where there is none: a name that cannot be parted would make the
/// column wider than its dock. Shorter words stay as they are, so that copying them gives what is there.
QString withBreaks(const QString& html) {
    QString text, word;
    const auto flush = [&] {
        qsizetype run = 0;
        for (const QChar c : std::as_const(word)) {
            text += c;
            ++run;
            const bool isSign = QStringLiteral("_./:-").contains(c);
            if (word.size() <= kLongWord || (!isSign && run < kLongWord)) continue;
            text += QChar(0x200B);
            run = 0;
        }
        word.clear();
    };
    bool inTag = false, inEntity = false;
    for (const QChar c : html) {
        inTag = inTag || c == u'<';
        inEntity = inEntity || (!inTag && c == u'&');
        if (!inTag && !inEntity && !c.isSpace() && c != QChar(0x202F)) {
            word += c;
            continue;
        }
        flush();
        text += c;
        if (c == u'>') inTag = false;
        if (c == u';') inEntity = false;
    }
    flush();
    return text;
}

/// The first lines stand in the middle of a row of this height, on one baseline, however many lines there are.
void centreFirstLine(std::initializer_list<QLabel*> texts, int height) {
    for (QLabel* text : texts) {
        text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        text->setContentsMargins(0, std::max(0, (height - text->fontMetrics().height()) / 2), 0, 0);
    }
}

}  // namespace

QLabel* makeText(const QString& html, Token color, QWidget* parent) {
    // The reader of rich text turns narrow no-break spaces into ordinary ones, at which numbers would
    // break; a small no-break space keeps the groups apart without parting the line.
    QString shown = withBreaks(html);
    shown.replace(QChar(0x202F),
                  QStringLiteral("<span style=\"font-size:%1px\">&nbsp;</span>").arg(themeOf(parent).px(10)));
    auto* label = new QLabel(shown, parent);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setFocusPolicy(html.contains(u"<a ") ? Qt::TabFocus : Qt::NoFocus);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, themeOf(parent).color(color));
    label->setPalette(palette);
    return label;
}

InspectorRowWidget::InspectorRowWidget(const InspectorRow& row, bool offersHints, RowForm form, QWidget* parent)
    : QWidget(parent) {
    const Theme& theme = themeOf(this);
    auto* outer = new QBoxLayout(form == RowForm::Stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight, this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(form == RowForm::Stacked ? 0 : theme.px(8));
    auto* label = makeText(row.label.toHtmlEscaped(), Token::Text3, this);
    if (form != RowForm::Stacked) label->setFixedWidth(theme.px(form == RowForm::Narrow ? kNarrowLabel : kLabelWidth));
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    value_ = makeText(row.html, Token::Text1, this);
    value_->setAccessibleName(row.label);
    connect(value_, &QLabel::linkActivated, this, &InspectorRowWidget::linkActivated);
    if (!row.label.isEmpty() || form != RowForm::Stacked) outer->addWidget(label, 0, Qt::AlignTop);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme.px(8));
    line->addWidget(value_, 1);
    outer->addLayout(line, 1);
    if (offersHints && !row.hintKey.isEmpty()) {
        pencil_ = smallButton(QStringLiteral("edit"), tr("Set %1 by a hint").arg(row.label.toLower()), this);
        line->addWidget(pencil_, 0, Qt::AlignTop);
        connect(pencil_, &QToolButton::clicked, this, &InspectorRowWidget::hintRequested);
    }
    if (form != RowForm::Stacked) centreFirstLine({label, value_}, theme.px(24));
    if (form != RowForm::Stacked || pencil_ != nullptr || !row.copy.isEmpty()) setMinimumHeight(theme.px(24));
    if (row.copy.isEmpty()) return;
    // The button floats over the row's right end, so that it takes no room while hidden.
    copy_ = smallButton(QStringLiteral("copy"), tr("Copy %1").arg(row.label.isEmpty() ? tr("value") : row.label), this);
    copy_->setAutoFillBackground(true);
    copy_->setVisible(false);
    connect(copy_, &QToolButton::clicked, this, [text = row.copy] { QApplication::clipboard()->setText(text); });
}

void InspectorRowWidget::resizeEvent(QResizeEvent*) {
    const int taken = pencil_ == nullptr ? 0 : pencil_->width() + 2;
    if (copy_) copy_->move(width() - copy_->width() - 2 - taken, 0);
}

void InspectorRowWidget::enterEvent(QEnterEvent*) {
    if (copy_) {
        copy_->setVisible(true);
        copy_->raise();
    }
}

void InspectorRowWidget::leaveEvent(QEvent*) {
    if (copy_) copy_->setVisible(copy_->hasFocus());
}

}  // namespace memplan::ui

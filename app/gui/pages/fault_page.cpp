// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/fault_page.h"

#include "app/gui/pages/page_with_sign.h"
#include "app/gui/tasks/log.h"
#include "widgets/kit/controls/enter_press.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

namespace memplan::app {
namespace {

constexpr int kLogLines = 60;
}  // namespace

FaultPage::FaultPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("faultPage"));
    ui::pressWithEnter(this);
    const ui::Theme& theme = ui::themeOf(this);
    auto* column = new QWidget(this);
    auto* box = new QVBoxLayout(column);
    box->setContentsMargins(0, theme.px(40), 0, theme.px(24));
    box->setSpacing(12);
    auto* title = new QLabel(tr("Something in the program failed"), column);
    title->setFont(theme.font(ui::TextStyle::PageTitle));
    text_ = new QLabel(column);
    text_->setWordWrap(true);
    text_->setFont(theme.font(ui::TextStyle::BodyStrong));
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    what_ = new QLabel(column);
    what_->setObjectName(QStringLiteral("faultWork"));
    what_->setWordWrap(true);
    log_ = new QPlainTextEdit(column);
    log_->setReadOnly(true);
    log_->setAccessibleName(tr("End of the log"));
    log_->setFont(theme.font(ui::TextStyle::Fixed));
    log_->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* buttons = new QHBoxLayout;
    save_ = new QPushButton(ui::icon(QStringLiteral("save"), ui::Token::AccentText), tr("Save state..."), column);
    ui::setPrimary(save_);
    auto* copy = new QPushButton(ui::icon(QStringLiteral("copy")), tr("Copy details"), column);
    auto* on = new QPushButton(tr("Go on"), column);
    connect(save_, &QPushButton::clicked, this, &FaultPage::saveRequested);
    connect(on, &QPushButton::clicked, this, &FaultPage::goOn);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text_->text() + QLatin1Char('\n') + log_->toPlainText()); });
    for (QPushButton* b : {save_, copy, on})
        buttons->addWidget(b);
    buttons->addStretch(1);
    box->addWidget(title);
    box->addWidget(text_);
    box->addWidget(what_);
    box->addWidget(log_, 1);
    box->addLayout(buttons);
    box->addStretch(0);
    layOutWithSign(this, column);
    setDocument(Work::Saved);
}

void FaultPage::setDocument(Work work) {
    save_->setVisible(work != Work::None);
    QString kept;
    if (work == Work::Saved) kept = tr("Your document is still open, and nothing in it is unsaved. ");
    if (work == Work::Copied)
        kept = tr("Your document is still open, and a copy of its hints, settings and notes is in the folder for "
                  "recovery. Save what you need, then go on. ");
    if (work == Work::AtRisk)
        kept = tr("Your document is still open, but there is no copy of its hints, settings and notes. Save it before "
                  "you go on. ");
    what_->setText(kept + tr("If it happens again, the lines below help to find out why."));
}

void FaultPage::show(const QString& text) {
    text_->setText(text);
    log_->setPlainText(Log::instance().tail(kLogLines).join(QLatin1Char('\n')));
    // As high as its lines, at least eight; what does not fit on the page is scrolled.
    constexpr int kLeastLines = 8;
    const int lines = qMax(log_->blockCount(), kLeastLines);
    log_->setMaximumHeight(lines * log_->fontMetrics().lineSpacing() + ui::themeOf(this).px(28));
    // The last lines from their first letter, where the times are; how far the page can be scrolled is known when the
    // new height is laid out.
    QTimer::singleShot(0, log_, [log = log_] {
        log->verticalScrollBar()->setValue(log->verticalScrollBar()->maximum());
        log->horizontalScrollBar()->setValue(0);
    });
}

}  // namespace memplan::app

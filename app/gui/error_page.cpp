// SPDX-License-Identifier: GPL-3.0-or-later
#include "error_page.h"

#include "core/icons.h"
#include "core/studio_style.h"
#include "core/theme.h"
#include "core/units.h"
#include "settings/settings.h"

#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;
using ui::TextStyle;
using ui::Token;

ErrorPage::ErrorPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("errorPage"));
    const ui::Theme& theme = ui::themeOf(this);
    auto* column = new QWidget(this);
    column->setMaximumWidth(theme.px(980));
    auto* box = new QVBoxLayout(column);
    box->setContentsMargins(24, 40, 24, 24);
    box->setSpacing(12);
    const auto line = [&](TextStyle style) {
        auto* l = new QLabel(column);
        l->setFont(theme.font(style));
        l->setTextFormat(Qt::PlainText);
        l->setWordWrap(true);
        l->setTextInteractionFlags(Qt::TextSelectableByMouse);
        box->addWidget(l);
        return l;
    };
    title_ = line(TextStyle::PageTitle);
    auto* sign = new QLabel(column);
    sign->setPixmap(ui::icon(QStringLiteral("error"), Token::Error).pixmap(theme.px(20), theme.px(20)));
    sign->setAccessibleName(tr("Error"));
    auto* head = new QHBoxLayout;
    head->setSpacing(theme.px(12));
    head->addWidget(sign);
    box->removeWidget(title_);
    head->addWidget(title_, 1);
    box->addLayout(head);
    sentence_ = line(TextStyle::Body);
    sentence_->setForegroundRole(QPalette::PlaceholderText);
    place_ = line(TextStyle::BodyStrong);
    source_ = line(TextStyle::Fixed);
    source_->setWordWrap(false);
    source_->setFrameShape(QFrame::StyledPanel);
    source_->setMargin(10);
    source_->setBackgroundRole(QPalette::Base);
    source_->setAutoFillBackground(true);
    cure_ = line(TextStyle::Body);
    errors_ = new QTableWidget(0, 4, column);
    errors_->setObjectName(QStringLiteral("errorTable"));
    errors_->setAccessibleName(tr("Errors in the file"));
    errors_->setHorizontalHeaderLabels({tr("Code"), tr("Where"), tr("What"), tr("What to do")});
    errors_->verticalHeader()->hide();
    errors_->verticalHeader()->setMinimumSectionSize(theme.px(24));
    errors_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    errors_->horizontalHeader()->setHighlightSections(false);
    errors_->setShowGrid(false);
    errors_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    errors_->setSelectionBehavior(QAbstractItemView::SelectRows);
    errors_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    box->addWidget(errors_);
    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& text, void (ErrorPage::*signal)()) {
        auto* b = new QPushButton(text, column);
        connect(b, &QPushButton::clicked, this, signal);
        buttons->addWidget(b);
        return b;
    };
    QPushButton* again = button(tr("Try again"), &ErrorPage::tryAgain);
    again->setIcon(ui::icon(QStringLiteral("auto-recompile"), Token::AccentText));
    ui::setPrimary(again);
    auto* copy = new QPushButton(ui::icon(QStringLiteral("copy")), tr("Copy details"), column);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(details_); });
    buttons->addWidget(copy);
    button(tr("Open another..."), &ErrorPage::openAnother)->setIcon(ui::icon(QStringLiteral("open")));
    button(tr("Back to start"), &ErrorPage::backToStart);
    raise_ = new QPushButton(column);
    raise_->setObjectName(QStringLiteral("raiseLimit"));
    connect(raise_, &QPushButton::clicked, this, [this] { emit raiseLimitRequested(limit_, limitValue_); });
    buttons->addWidget(raise_);
    buttons->addStretch(1);
    auto* help = new QPushButton(ui::icon(QStringLiteral("help")), tr("What this code means"), column);
    help->setFlat(true);
    connect(help, &QPushButton::clicked, this, [this] { emit helpRequested(QStringLiteral("code:") + code_); });
    buttons->addWidget(help);
    box->addLayout(buttons);
    auto* rule = new QFrame(column);
    rule->setFrameShape(QFrame::HLine);
    rule->setForegroundRole(QPalette::Mid);
    rule->setFrameShadow(QFrame::Plain);
    box->addSpacing(10);
    box->addWidget(rule);
    QLabel* same = line(TextStyle::Body);
    same->setText(tr("The command line gives the same answer with exit status 3:"));
    same->setForegroundRole(QPalette::PlaceholderText);
    command_ = line(TextStyle::Fixed);
    command_->setForegroundRole(QPalette::PlaceholderText);
    box->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->addStretch(1);
    row->addWidget(column, 20);
    row->addStretch(1);
}

void ErrorPage::show(const QString& path, const Error& error, const QString& hardLimit) {
    const Diagnostic& first = error.primary();
    code_ = fromStd(first.code);
    title_->setText(tr("%1 cannot be opened").arg(QFileInfo(path).fileName()));
    const auto found =
        static_cast<qint64>(std::count_if(error.diagnostics.begin(), error.diagnostics.end(),
                                          [](const Diagnostic& d) { return d.severity == Severity::Error; }));
    const QFileInfo file(path);
    sentence_->setText((file.isFile() ? tr("%1, %2. ").arg(path, ui::exactBytes(file.size())) : tr("%1. ").arg(path)) +
                       tr("%1 found; nothing was loaded, other documents are untouched.")
                           .arg(ui::plural(found, tr("error"), tr("errors"))));
    place_->setText(first.where.empty() ? fromStd(first.message)
                                        : QStringLiteral("%1: %2").arg(fromStd(first.where), fromStd(first.message)));
    const QString text = excerpt(path, fromStd(first.message) + QLatin1Char(' ') + fromStd(first.where));
    source_->setText(text);
    source_->setVisible(!text.isEmpty());
    cure_->setText(hardLimit.isEmpty() ? fromStd(first.hint) : hardLimit);
    cure_->setVisible(!cure_->text().isEmpty());
    command_->setText(QStringLiteral("memplan: error: %1:%2: %3%4")
                          .arg(path, fromStd(first.where), fromStd(first.message),
                               first.hint.empty() ? QString() : QStringLiteral(" (%1)").arg(fromStd(first.hint))));
    offerLimit(hardLimit.isEmpty() ? fromStd(first.hint) : QString());
    errors_->setRowCount(0);
    details_ = path + QLatin1Char('\n');
    for (const Diagnostic& d : error.diagnostics) {
        details_ += QStringLiteral("%1 %2 %3 (%4)\n")
                        .arg(fromStd(d.code), fromStd(d.where), fromStd(d.message), fromStd(d.hint));
        const int row = errors_->rowCount();
        errors_->insertRow(row);
        // A limit that cannot be raised is not offered in the table either.
        const std::string what = row == 0 && !hardLimit.isEmpty() ? std::string() : d.hint;
        const std::string* cells[] = {&d.code, &d.where, &d.message, &what};
        for (int c = 0; c < 4; ++c) {
            auto* item = new QTableWidgetItem(fromStd(*cells[c]));
            item->setToolTip(fromStd(*cells[c]));
            if (c < 2) item->setFont(ui::themeOf(this).font(TextStyle::Fixed));
            errors_->setItem(row, c, item);
        }
    }
    const ui::Theme& theme = ui::themeOf(this);
    errors_->resizeColumnToContents(0);
    errors_->resizeColumnToContents(1);
    errors_->setColumnWidth(1, qBound(theme.px(90), errors_->columnWidth(1), theme.px(220)));
    errors_->setColumnWidth(3, theme.px(260));
    // As high as its rows, up to ten; more are scrolled.
    constexpr int kMostRows = 10;
    errors_->setFixedHeight(errors_->horizontalHeader()->sizeHint().height() +
                            qMin(errors_->rowCount(), kMostRows) * errors_->verticalHeader()->defaultSectionSize() + 4);
}

/// A file over a default limit may be opened with the hard one, when the user says so.
void ErrorPage::offerLimit(const QString& hint) {
    static const QRegularExpression kLimit(QStringLiteral("raise (limits\\.\\w+)"));
    const QRegularExpressionMatch m = kLimit.match(hint);
    const SettingInfo* info = m.hasMatch() ? findSetting(m.captured(1).toStdString()) : nullptr;
    limit_ = info == nullptr ? QString() : m.captured(1);
    limitValue_ = info == nullptr ? QString() : QString::number(static_cast<qint64>(info->max));
    raise_->setVisible(info != nullptr);
    if (info != nullptr)
        raise_->setText(tr("Raise %1 to %2 and open").arg(limit_, ui::groupedText(static_cast<qint64>(info->max))));
}

/// Source lines around "line N" with a caret below the column, for text files up to 4 MiB.
QString ErrorPage::excerpt(const QString& path, const QString& where) const {
    static const QRegularExpression kPlace(
        QStringLiteral("line (\\d+)(?:, | )?(?:column (\\d+))?|\\b(\\d+):(\\d+)\\b"));
    const QRegularExpressionMatch m = kPlace.match(where);
    if (!m.hasMatch()) return {};
    const int line = (m.captured(1).isEmpty() ? m.captured(3) : m.captured(1)).toInt();
    const int column = (m.captured(1).isEmpty() ? m.captured(4) : m.captured(2)).toInt();
    QFile file(path);
    if (line < 1 || file.size() > (4 << 20) || !file.open(QIODevice::ReadOnly)) return {};
    const QList<QByteArray> lines = file.readAll().split('\n');
    if (line > lines.size()) return {};
    constexpr int kWidest = 110;
    const int from = qMax(0, column - 70);
    QStringList out;
    for (int i = qMax(1, line - 2); i <= qMin(static_cast<int>(lines.size()), line + 1); ++i) {
        const QString text = ui::fromStd(lines[i - 1].mid(from, kWidest).toStdString());
        out << QStringLiteral("%1  %2").arg(i, 6).arg(text);
        if (i == line && column > 0) out << QString(8 + column - from - 1, QLatin1Char(' ')) + QLatin1Char('^');
    }
    return out.join(QLatin1Char('\n'));
}

}  // namespace memplan::app

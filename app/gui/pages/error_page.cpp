// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/error_page.h"

#include "app/gui/document/bindings_text.h"
#include "app/gui/pages/page_with_sign.h"
#include "app/gui/pages/source_card.h"
#include "app/gui/pages/source_place.h"
#include "engine/settings/settings.h"
#include "widgets/kit/controls/enter_press.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/units.h"

#include <QClipboard>
#include <QFileInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;
using ui::TextStyle;
using ui::Token;

ErrorPage::ErrorPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("errorPage"));
    ui::pressWithEnter(this);
    const ui::Theme& theme = ui::themeOf(this);
    // Large text and many lines are scrolled: the page does not make the window larger.
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    auto* page = new QWidget(scroll);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    auto* column = new QWidget(page);
    auto* box = new QVBoxLayout(column);
    box->setContentsMargins(0, theme.px(40), 0, theme.px(24));
    box->setSpacing(12);
    title_ = addLine(*box, TextStyle::PageTitle);
    sentence_ = addLine(*box, TextStyle::Body);
    sentence_->setForegroundRole(QPalette::PlaceholderText);
    card_ = new SourceCard(column);
    box->addWidget(card_);
    buildTable(column);
    box->addWidget(errors_);
    box->addLayout(buildButtons(column));
    buildBindings(column);
    box->addWidget(bindings_);
    auto* rule = new QFrame(column);
    rule->setFrameShape(QFrame::HLine);
    rule->setForegroundRole(QPalette::Mid);
    rule->setFrameShadow(QFrame::Plain);
    box->addSpacing(10);
    box->addWidget(rule);
    QLabel* same = addLine(*box, TextStyle::Body);
    same->setText(tr("The command line gives the same answer with exit status 3:"));
    same->setForegroundRole(QPalette::PlaceholderText);
    command_ = addLine(*box, TextStyle::Fixed);
    command_->setForegroundRole(QPalette::PlaceholderText);
    box->addStretch(1);
    layOutWithSign(page, column);
    scroll->setWidget(page);
}

QLabel* ErrorPage::addLine(QVBoxLayout& box, TextStyle style) {
    auto* line = new QLabel(box.parentWidget());
    line->setFont(ui::themeOf(this).font(style));
    line->setTextFormat(Qt::PlainText);
    line->setWordWrap(true);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box.addWidget(line);
    return line;
}

void ErrorPage::buildTable(QWidget* column) {
    const ui::Theme& theme = ui::themeOf(this);
    errors_ = new QTableWidget(0, 5, column);
    errors_->setObjectName(QStringLiteral("errorTable"));
    errors_->setAccessibleName(tr("Errors in the file"));
    errors_->setHorizontalHeaderLabels({tr("Code"), tr("Where"), tr("JSON path"), tr("Found"), tr("What to do")});
    errors_->verticalHeader()->hide();
    errors_->verticalHeader()->setMinimumSectionSize(theme.px(24));
    errors_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    errors_->horizontalHeader()->setHighlightSections(false);
    errors_->setShowGrid(false);
    errors_->setWordWrap(false);
    errors_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    errors_->setSelectionBehavior(QAbstractItemView::SelectRows);
    errors_->setSelectionMode(QAbstractItemView::SingleSelection);
    errors_->setTabKeyNavigation(false);
    errors_->setItemDelegate(new ui::CellDelegate(errors_));
    connect(errors_, &QTableWidget::currentCellChanged, this, [this](int row) { showError(row); });
}

QHBoxLayout* ErrorPage::buildButtons(QWidget* column) {
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
    return buttons;
}

/// Sizes that a model leaves open.
void ErrorPage::buildBindings(QWidget* column) {
    bindings_ = new QWidget(column);
    auto* row = new QHBoxLayout(bindings_);
    row->setContentsMargins(0, 0, 0, 0);
    auto* name = new QLabel(tr("Sizes and values"), bindings_);
    values_ = new QLineEdit(bindings_);
    values_->setObjectName(QStringLiteral("bindingsField"));
    values_->setAccessibleName(name->text());
    values_->setPlaceholderText(tr("NAME=VALUE, NAME=VALUE"));
    name->setBuddy(values_);
    auto* use = new QPushButton(tr("Open with these"), bindings_);
    use->setObjectName(QStringLiteral("openWithBindings"));
    valuesNote_ = new QLabel(bindings_);
    valuesNote_->setObjectName(QStringLiteral("bindingsNote"));
    for (QWidget* part : {static_cast<QWidget*>(name), static_cast<QWidget*>(values_), static_cast<QWidget*>(use),
                          static_cast<QWidget*>(valuesNote_)})
        row->addWidget(part, part == values_ ? 1 : 0);
    connect(use, &QPushButton::clicked, this, &ErrorPage::takeBindings);
    connect(values_, &QLineEdit::returnPressed, this, &ErrorPage::takeBindings);
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
    source_ = sourceText(path);
    hardLimit_ = hardLimit;
    const QString place = fromStd(first.where);
    command_->setText(QStringLiteral("memplan: error: %1%2: %3 %4%5")
                          .arg(path, place.isEmpty() ? place : QLatin1Char(':') + place, code_, fromStd(first.message),
                               first.hint.empty() ? QString() : QStringLiteral(" (%1)").arg(fromStd(first.hint))));
    offerLimit(hardLimit.isEmpty() ? fromStd(first.hint) : QString());
    offerBindings(fromStd(first.hint));
    found_ = error.diagnostics;
    std::ranges::stable_sort(found_, {}, &Diagnostic::severity);
    details_ = path + QLatin1Char('\n');
    for (const Diagnostic& d : found_) {
        details_ += QStringLiteral("%1 %2 %3 (%4)\n")
                        .arg(fromStd(d.code), fromStd(d.where), fromStd(d.message), fromStd(d.hint));
    }
    fillTable();
    showError(0);
}

/// The row's error in its place; a limit that cannot be raised is not offered.
void ErrorPage::showError(int row) {
    if (row < 0 || row >= static_cast<int>(found_.size())) return;
    const Diagnostic& d = found_[static_cast<std::size_t>(row)];
    card_->show(source_, d, row, static_cast<int>(found_.size()),
                row == 0 && !hardLimit_.isEmpty() ? hardLimit_ : fromStd(d.hint));
}

void ErrorPage::fillTable() {
    const ui::Theme& theme = ui::themeOf(this);
    const QSignalBlocker quiet(errors_);
    errors_->setRowCount(static_cast<int>(found_.size()));
    // Each place is looked for from the beginning of the text: of a large one for fewer errors.
    constexpr qsizetype kReadInAll = 64 << 20;
    const auto placed = std::clamp<qsizetype>(kReadInAll / (source_.size() + 1), 1, 1000);
    bool anyPath = false, anyPlace = false, anyFix = false;
    for (int row = 0; row < errors_->rowCount(); ++row) {
        const Diagnostic& d = found_[static_cast<std::size_t>(row)];
        const QString where = fromStd(d.where);
        const auto found = row < placed ? sourcePlace(source_, where, fromStd(d.message)) : std::nullopt;
        const QString place = found ? QStringLiteral("%1:%2").arg(found->line).arg(found->column) : QString();
        const bool isPath = where != place;
        const QString cells[] = {fromStd(d.code), place, isPath ? where : QString(), fromStd(d.message),
                                 row == 0 && !hardLimit_.isEmpty() ? QString() : fromStd(d.hint)};
        anyPlace = anyPlace || !place.isEmpty();
        anyPath = anyPath || !cells[2].isEmpty();
        anyFix = anyFix || !cells[4].isEmpty();
        for (int c = 0; c < 5; ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            item->setToolTip(cells[c]);
            if (c < 3) item->setFont(theme.font(TextStyle::Fixed));
            errors_->setItem(row, c, item);
        }
    }
    errors_->setColumnHidden(1, !anyPlace);
    errors_->setColumnHidden(2, !anyPath);
    errors_->setColumnHidden(4, !anyFix);
    const QFontMetrics strong(theme.font(TextStyle::BodyStrong));
    const int widest[] = {theme.px(110), theme.px(110), theme.px(240)};
    for (int c = 0; c < 3; ++c) {
        int wide = strong.horizontalAdvance(errors_->horizontalHeaderItem(c)->text());
        for (int row = 0; row < errors_->rowCount(); ++row)
            wide = qMax(wide, strong.horizontalAdvance(errors_->item(row, c)->text()));
        errors_->setColumnWidth(c, qMin(wide + theme.px(22), widest[c]));
    }
    for (const int c : {3, 4})
        errors_->horizontalHeader()->setSectionResizeMode(c, QHeaderView::Stretch);
    errors_->setCurrentCell(0, 0);
    errors_->selectRow(0);
    // As high as its rows, up to ten; more are scrolled.
    constexpr int kMostRows = 10;
    errors_->setFixedHeight(errors_->horizontalHeader()->sizeHint().height() +
                            qMin(errors_->rowCount(), kMostRows) * errors_->verticalHeader()->defaultSectionSize() + 4);
    // The card says it all when there is no other.
    errors_->setVisible(found_.size() > 1);
}

/// A model that leaves a size or a value open is asked for it here, as `--bind` is on the command line.
void ErrorPage::offerBindings(const QString& hint) {
    const QString text = withProposed(given_, hint);
    bindings_->setVisible(!text.isEmpty());
    valuesNote_->clear();
    values_->setText(text);
}

void ErrorPage::takeBindings() {
    const auto pairs = bindingsFromText(values_->text());
    valuesNote_->setText(pairs ? QString() : tr("each is NAME=VALUE"));
    if (pairs) emit bindingsGiven(*pairs);
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

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/start_page.h"

#include "app/gui/pages/sample_card.h"
#include "app/gui/session/recent_files.h"
#include "app/gui/targets/targets.h"
#include "engine/io/input.h"
#include "engine/target/compile.h"
#include "widgets/kit/controls/enter_press.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace memplan::app {
namespace {

using ui::TextStyle;
using ui::Token;

QLabel* label(const QString& text, TextStyle style, Token token, QWidget* parent) {
    auto* l = new QLabel(text, parent);
    ui::withScale(l, [l, style](const ui::Theme& theme) { l->setFont(theme.font(style)); });
    l->setForegroundRole(token == Token::Text1 ? QPalette::WindowText : QPalette::PlaceholderText);
    l->setTextFormat(Qt::PlainText);
    l->setWordWrap(true);
    return l;
}

QString when(const QDateTime& time) {
    const qint64 days = time.date().daysTo(QDate::currentDate());
    if (days == 0) return QObject::tr("today %1").arg(time.toString(QStringLiteral("HH:mm")));
    if (days == 1) return QObject::tr("yesterday");
    return days < 7 ? QLocale::c().dayName(time.date().dayOfWeek()) : time.date().toString(Qt::ISODate);
}

constexpr int kLeft = 244, kNarrowLeft = 300, kRight = 340, kLeastMiddle = 330;  // px of the columns

PlanPtr planWith(const io::OpenedInput& input, const io::SampleVariant& variant, const RunControl& control) {
    auto settings = Settings::fromPairs(variant.settings);
    auto hints = io::hintsOf(variant, *input.graph);
    if (!settings || !hints) return nullptr;
    CompileRequest request =
        requestFor(input.graph, input.program, input.input, std::move(settings).value(), std::move(hints).value());
    request.keepSnapshotTexts = false;
    return compile(request, control).plan;
}

/// Ideal ratios of the variants' traffic and the medians measured for them, when a sample has any.
QString measuredLine(const std::vector<PlanPtr>& plans, const io::SampleInfo& sample) {
    QStringList ratios;
    QStringList medians;
    Bytes baseline = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i] || sample.variants[i].measuredMicroseconds <= 0) return {};
        const PlanMetrics& m = plans[i]->metrics;
        const Bytes bytes = m.traffic();
        if (baseline == 0) baseline = bytes;
        ratios << QString::number(static_cast<double>(baseline) / static_cast<double>(bytes), 'f', 1);
        medians << QString::number(sample.variants[i].measuredMicroseconds, 'f', 1);
    }
    if (ratios.isEmpty()) return {};
    return QObject::tr("traffic 1/%1, measured %2 \u2192 %3 \u00b5s")
        .arg(ratios.constLast(), medians.constFirst(), medians.constLast());
}

/// The card's picture is that of the last variant.
CardFacts factsOf(const io::SampleInfo& sample, const RunControl& control) {
    io::OpenOptions options;
    options.bindings.raw = sample.bindings;
    options.bindWithSuggestions = true;
    auto opened = io::openInput(sample.path, options, control);
    if (!opened) return {};
    io::OpenedInput& input = opened.value();
    if (input.program) input.graph = graphOf(*input.program, input.input.name);
    if (!input.graph) return {};
    if (sample.variants.empty()) {
        io::SampleVariant only;
        only.settings = sample.settings;
        return {planWith(input, only, control), {}};
    }
    std::vector<PlanPtr> plans;
    for (io::SampleVariant variant : sample.variants) {
        variant.settings.insert(variant.settings.begin(), sample.settings.begin(), sample.settings.end());
        plans.push_back(planWith(input, variant, control));
    }
    return {plans.back(), measuredLine(plans, sample)};
}

}  // namespace

StartPage::StartPage(std::vector<io::SampleInfo> samples, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("startPage"));
    ui::pressWithEnter(this);
    for (io::SampleInfo& sample : samples) {
        auto* card = new SampleCard(std::move(sample), this);
        connect(card, &QAbstractButton::clicked, this, [this, card] { emit sampleRequested(card->sample()); });
        cards_.push_back(card);
    }
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);  // the lines between the columns
    left_ = sideColumn(leftColumn());
    right_ = sideColumn(rightColumn());
    row->addWidget(left_);
    row->addWidget(middleColumn(), 1);
    row->addWidget(right_);
    ui::withScale(this, [this](const ui::Theme&) { arrangeColumns(); });
    refreshRecent();
}

/// What does not fit the height is scrolled to.
QScrollArea* StartPage::sideColumn(QWidget* content) {
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

/// Where three columns leave too little for the samples, what was opened before goes below what can be opened.
void StartPage::arrangeColumns() {
    const ui::Theme& theme = ui::themeOf(this);
    const bool isNarrow = width() < theme.px(kLeft + kRight + kLeastMiddle);
    left_->setFixedWidth(theme.px(isNarrow ? kNarrowLeft : kLeft) - 1);
    right_->setFixedWidth(theme.px(kRight) - 1);
    if (isNarrow == isNarrow_) return;
    isNarrow_ = isNarrow;
    QWidget* other = isNarrow ? right_->takeWidget() : rightContent_;
    if (isNarrow)
        leftBox_->insertWidget(leftBox_->count() - 1, other);
    else
        right_->setWidget(other);
    other->show();
    right_->setVisible(!isNarrow);
    update();
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeColumns();
}

QWidget* StartPage::leftColumn() {
    auto* column = new QWidget(this);
    auto* box = new QVBoxLayout(column);
    leftBox_ = box;
    ui::setScaledMargins(box, {24, 34, 24, 24}, 8);
    box->addWidget(label(QStringLiteral("memplan-studio"), TextStyle::PageTitle, Token::Text1, column));
    box->addWidget(label(tr("See and tune where every buffer lives on chip."), TextStyle::Body, Token::Text2, column));
    box->addSpacing(18);
    auto* open = new QPushButton(ui::icon(QStringLiteral("open"), Token::AccentText), tr("Open..."), column);
    open->setObjectName(QStringLiteral("startOpen"));
    ui::setScaledSize(open, -1, 36);
    open->setToolTip(tr("Open a file (Ctrl+O)"));
    ui::setPrimary(open);
    open->setProperty("memplanKeys", QKeySequence(QKeySequence::Open).toString(QKeySequence::NativeText));
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    box->addWidget(open);
    auto* fresh = new QPushButton(ui::icon(QStringLiteral("template")), tr("New from template..."), column);
    fresh->setObjectName(QStringLiteral("startTemplate"));
    ui::setScaledSize(fresh, -1, 36);
    fresh->setProperty("memplanKeys", QString());
    connect(fresh, &QPushButton::clicked, this, &StartPage::templateRequested);
    box->addWidget(fresh);
    box->addSpacing(12);
    box->addWidget(label(tr("Or drop a file anywhere in this window."), TextStyle::Body, Token::Text2, column));
    recover_ = new QVBoxLayout;
    recover_->setContentsMargins(0, 12, 0, 0);
    recover_->setSpacing(6);
    box->addLayout(recover_);
    box->addSpacing(12);
    const auto link = [&](const QString& text, auto&& act) {
        auto* l = new ui::LinkLabel(text, column);
        connect(l, &QAbstractButton::clicked, this, act);
        box->addWidget(l, 0, Qt::AlignLeft);
    };
    link(tr("Show tour"), [this] { emit tourRequested(); });
    link(tr("Keyboard map"), [this] { emit keyboardMapRequested(); });
    link(tr("What the three targets are"), [this] { emit helpRequested(QStringLiteral("targets.md")); });
    link(tr("Help"), [this] { emit helpRequested(QStringLiteral("index.md")); });
    box->addStretch(1);
    return column;
}

QWidget* StartPage::middleColumn() {
    auto* scroll = new QScrollArea(this);
    cardScroll_ = scroll;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    cardArea_ = new QWidget(scroll);
    auto* box = new QVBoxLayout(cardArea_);
    ui::setScaledMargins(box, {32, 28, 28, 28}, 14);
    auto* head = new QHBoxLayout;
    auto* title = label(tr("Samples"), TextStyle::ObjectTitle, Token::Text1, cardArea_);
    title->setWordWrap(false);
    auto* count = label(QString::number(cards_.size()), TextStyle::Body, Token::Text3, cardArea_);
    count->setWordWrap(false);
    head->addWidget(title);
    head->addWidget(count);
    head->addStretch(1);
    box->addLayout(head);
    grid_ = new QGridLayout;
    grid_->setSpacing(18);
    box->addLayout(grid_);
    box->addStretch(1);
    scroll->setWidget(cardArea_);
    // The cards are arranged for the width that the scroll area really gave.
    scroll->installEventFilter(this);
    for (SampleCard* card : cards_)
        card->setParent(cardArea_);
    arrangeCards();
    return scroll;
}

QWidget* StartPage::rightColumn() {
    auto* column = new QWidget(this);
    rightContent_ = column;
    auto* box = new QVBoxLayout(column);
    ui::setScaledMargins(box, {28, 34, 28, 24}, 8);
    box->addWidget(label(tr("Recent"), TextStyle::ObjectTitle, Token::Text1, column));
    recent_ = new QVBoxLayout;
    recent_->setSpacing(0);
    box->addLayout(recent_);
    box->addSpacing(22);
    box->addWidget(label(tr("What opens"), TextStyle::ObjectTitle, Token::Text1, column));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(20);
    form->setVerticalSpacing(8);
    const ui::Theme& theme = ui::themeOf(this);
    const auto row = [&](const QString& what, const QString& forms) {
        auto* head = new QLabel(what, column);
        head->setFont(theme.font(TextStyle::BodyStrong));
        form->addRow(head, label(forms, TextStyle::Body, Token::Text2, column));
    };
    for (const TargetUi& target : allTargetUis())
        if (*target.opens != '\0') row(titleOf(target), QCoreApplication::translate("Target", target.opens));
    row(tr("Buffers"), tr("CSV lists and allocation instances, solved into one memory"));
    row(tr("Plans"), tr("plan files, checked and shown read only"));
    row(tr("Saved"), tr("workspaces with settings, hints and notes"));
    box->addLayout(form);
    box->addSpacing(6);
    box->addWidget(label(tr("The format is found by content, not by suffix. Input files are never changed."),
                         TextStyle::Body, Token::Text3, column));
    box->addStretch(1);
    return column;
}

void StartPage::refreshRecent() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList paths = RecentFiles::paths();
    const ui::Theme& theme = ui::themeOf(this);
    if (paths.isEmpty()) recent_->addWidget(label(tr("No file was opened yet."), TextStyle::Body, Token::Text3, this));
    for (const QString& path : paths) {
        const QFileInfo info(path);
        auto* row = new QWidget(this);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 4, 0, 4);
        auto* name =
            new QPushButton(ui::icon(QStringLiteral("file")),
                            QFontMetrics(font()).elidedText(info.fileName(), Qt::ElideMiddle, theme.px(170)), row);
        name->setFlat(true);
        name->setToolTip(path);
        name->setEnabled(info.exists());
        connect(name, &QPushButton::clicked, this, [this, path] { emit fileRequested(path); });
        line->addWidget(name, 0);
        line->addStretch(1);
        line->addWidget(new QLabel(info.exists() ? when(info.lastModified()) : tr("missing"), row));
        if (!info.exists()) {
            auto* remove = new QPushButton(tr("Remove"), row);
            connect(remove, &QPushButton::clicked, this, [this, path] {
                RecentFiles::remove(path);
                QMetaObject::invokeMethod(this, &StartPage::refreshRecent, Qt::QueuedConnection);
            });
            line->addWidget(remove);
        }
        recent_->addWidget(row);
    }
}

void StartPage::setRecoverable(const QList<RecoverableCopy>& copies) {
    while (QLayoutItem* item = recover_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (copies.isEmpty()) return;
    recover_->addWidget(label(tr("Recover"), TextStyle::ObjectTitle, Token::Text1, this));
    recover_->addWidget(label(tr("The program ended before these were saved."), TextStyle::Body, Token::Text2, this));
    for (const RecoverableCopy& copy : copies)
        recover_->addWidget(recoverRow(copy));
}

QWidget* StartPage::recoverRow(const RecoverableCopy& copy) {
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("recoverRow"));
    auto* box = new QVBoxLayout(row);
    box->setContentsMargins(0, 6, 0, 2);
    box->setSpacing(4);
    box->addWidget(label(copy.name, TextStyle::BodyStrong, Token::Text1, row));
    QStringList facts{when(copy.time)};
    facts << ui::plural(copy.hints, tr("hint"), tr("hints"));
    if (copy.notes > 0) facts << ui::plural(copy.notes, tr("note"), tr("notes"));
    box->addWidget(label(facts.join(QStringLiteral(", ")), TextStyle::Body, Token::Text2, row));
    auto* buttons = new QHBoxLayout;
    auto* recover = new QPushButton(ui::icon(QStringLiteral("recover")), tr("Recover"), row);
    auto* discard = new QPushButton(tr("Discard"), row);
    connect(recover, &QPushButton::clicked, this, [this, path = copy.path] { emit recoverRequested(path); });
    connect(discard, &QPushButton::clicked, this, [row, path = copy.path] {
        AutosaveFolder::discard(path);
        row->hide();
    });
    buttons->addWidget(recover);
    buttons->addWidget(discard);
    buttons->addStretch(1);
    box->addLayout(buttons);
    return row;
}

/// Windows that open a file at once never show this page: their samples are not planned.
void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (picturesLoaded_) return;
    picturesLoaded_ = true;
    loadPictures();
}

void StartPage::loadPictures() {
    std::vector<io::SampleInfo> samples;
    for (SampleCard* card : cards_)
        samples.push_back(card->sample());
    pictures_.start(tr("Drawing samples"), [this, samples](const RunControl& control) -> BackgroundTask::Finish {
        auto facts = std::make_shared<std::vector<CardFacts>>();
        for (const io::SampleInfo& sample : samples) {
            facts->push_back(control.cancelled() ? CardFacts{} : factsOf(sample, control));
        }
        return [this, facts] {
            for (std::size_t i = 0; i < cards_.size(); ++i)
                cards_[i]->setFacts((*facts)[i]);
        };
    });
}

void StartPage::arrangeCards() {
    // As if the scroll bar were always there: columns that came and went with it would change the height that decides
    // whether it is there, and so on without end.
    const int width = cardScroll_->width() - cardScroll_->verticalScrollBar()->sizeHint().width();
    const int wanted = qBound(1, (width - 60) / ui::themeOf(this).px(250), 3);
    if (wanted == columns_) return;
    columns_ = wanted;
    for (SampleCard* card : cards_)
        grid_->removeWidget(card);
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        grid_->addWidget(cards_[i], static_cast<int>(i) / columns_, static_cast<int>(i) % columns_);
    }
    for (int c = 0; c < 4; ++c)
        grid_->setColumnStretch(c, c < columns_ ? 1 : 0);
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == cardScroll_ && event->type() == QEvent::Resize) arrangeCards();
    return QWidget::eventFilter(watched, event);
}

void StartPage::paintEvent(QPaintEvent*) {
    const ui::Theme& theme = ui::themeOf(this);
    QPainter p(this);
    p.fillRect(rect(), theme.color(Token::BgPanel));
    p.setPen(theme.color(Token::Line1));
    p.drawLine(left_->width(), 0, left_->width(), height());
    if (!isNarrow_) p.drawLine(width() - right_->width() - 1, 0, width() - right_->width() - 1, height());
}

}  // namespace memplan::app

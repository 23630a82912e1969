// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/compare/compare_header.h"

#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kCardHeight = 66, kCardWidth = 190, kMostCards = 6;

QComboBox* planBox(const QString& name, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    setScaledSize(box, -1, 24);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(30);
    return box;
}

QToolButton* barButton(const QString& iconName, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    setScaledIconSize(button, 16);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    setScaledSize(button, 24, 24);
    return button;
}

}  // namespace

// ---- cards -----------------------------------------------------------------------------------------------

MetricCards::MetricCards(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("metricCards"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MetricCards::setMetrics(std::vector<compare::MetricRow> rows) {
    rows_ = std::move(rows);
    QStringList sentences;
    for (const compare::MetricRow& r : rows_)
        sentences << tr("%1: %2, was %3").arg(fromStd(r.title), fromStd(r.textB), fromStd(r.textA));
    setAccessibleName(tr("Metrics"));
    setAccessibleDescription(sentences.join(QStringLiteral("; ")));
    update();
}

QSize MetricCards::sizeHint() const {
    return {themeOf(this).px(kCardWidth * 4), themeOf(this).px(kCardHeight)};
}

QSize MetricCards::minimumSizeHint() const {
    return {themeOf(this).px(kCardWidth), themeOf(this).px(kCardHeight)};
}

void MetricCards::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintCards(painter, size(), themeOf(this));
}

void MetricCards::paintCards(QPainter& painter, QSize size, const Theme& theme) const {
    const int room = std::max(1, size.width() / theme.px(kCardWidth));
    const int count = std::min({room, kMostCards, static_cast<int>(rows_.size())});
    if (count == 0) return;
    const double width = size.width() / static_cast<double>(count);
    for (int i = 0; i < count; ++i) {
        const QRectF box(i * width, 0, width, size.height());
        paintCard(painter, box, rows_[static_cast<std::size_t>(i)], theme);
        if (i > 0)
            painter.fillRect(QRectF(std::round(box.left()), 6, 1, size.height() - 12.0), theme.color(Token::Line2));
    }
}

void MetricCards::paintCard(QPainter& painter, const QRectF& box, const compare::MetricRow& row,
                            const Theme& theme) const {
    const double left = box.left() + theme.px(10);
    const auto line = [&](int index) {
        return QRectF(left, box.top() + theme.px(5) + index * theme.px(19), box.right() - left - theme.px(6),
                      theme.px(18));
    };
    const auto put = [&](const QRectF& rect, TextStyle style, Token token, const QString& text) {
        painter.setFont(theme.font(style));
        painter.setPen(theme.color(token));
        const QString shown = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, rect.width());
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown);
        return QFontMetricsF(painter.font()).horizontalAdvance(shown);
    };
    put(line(0), TextStyle::Body, Token::Text2, fromStd(row.title));
    QRectF values = line(1);
    values.adjust(put(values, TextStyle::Body, Token::Text2, fromStd(row.textA) + QStringLiteral("  \u2192  ")), 0, 0,
                  0);
    put(values, TextStyle::BodyStrong, Token::Text1, fromStd(row.textB));
    QRectF change = line(2);
    const std::string_view word = compare::outcomeText(row.outcome);
    const QString text = QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    if (row.outcome == compare::Outcome::Same) {
        put(change, TextStyle::Body, Token::Text2, text);
        return;
    }
    const Token token = outcomeToken(row.outcome);
    if (row.outcome != compare::Outcome::Other) {
        const int side = theme.px(14);
        const bool better = row.outcome == compare::Outcome::Better;
        drawIcon(painter, QRectF(change.left(), change.center().y() - side / 2.0, side, side),
                 better ? QStringLiteral("check") : QStringLiteral("warning"), theme.color(token));
        change.adjust(side + theme.px(5), 0, 0, 0);
    }
    put(change, TextStyle::Body, token, fromStd(row.changeText()) + QLatin1Char(' ') + text);
}

// ---- header ----------------------------------------------------------------------------------------------

CompareHeader::CompareHeader(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("compareHeader"));
    setAccessibleName(tr("Comparison of plans"));
    auto* bar = new WrapBar(this);
    auto* line = new BarLayout(bar);
    auto* title = new QLabel(tr("Compare"), bar);
    line->addWidget(title);
    a_ = planBox(tr("Plan A, the baseline"), bar);
    a_->setObjectName(QStringLiteral("compareA"));
    b_ = planBox(tr("Plan B, the plan on screen"), bar);
    b_->setObjectName(QStringLiteral("compareB"));
    auto* swap = barButton(QStringLiteral("swap-a-b"), tr("Swap A and B (X)"), bar);
    line->addWidget(a_);
    line->addWidget(swap);
    line->addWidget(b_);
    line->addStretch();
    const std::array<QString, 3> names{tr("Side by side, linked"), tr("Overlay"), tr("Difference")};
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        forms_[i] = new Chip(names[i], bar);
        forms_[i]->setCheckable(true);
        forms_[i]->setAutoExclusive(true);
        line->addWidget(forms_[i]);
        connect(forms_[i], &Chip::clicked, this, [this, i] { setForm(static_cast<Form>(i)); });
    }
    forms_[0]->setChecked(true);
    auto* close = barButton(QStringLiteral("dock-close"), tr("Stop comparing (Ctrl+D)"), bar);
    line->addWidget(close);
    unlike_ = new Strip(this);
    unlike_->setObjectName(QStringLiteral("compareUnlike"));
    outcome_ = new QLabel(this);
    outcome_->setObjectName(QStringLiteral("compareOutcome"));
    outcome_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    outcome_->setWordWrap(true);
    withScale(this, [this, title](const Theme& theme) {
        title->setFont(theme.font(TextStyle::BodyStrong));
        outcome_->setFont(theme.font(TextStyle::ObjectTitle));
    });
    cards_ = new MetricCards(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(unlike_);
    auto* sentence = new QVBoxLayout;  // a label forgets margins of its own when the style changes
    setScaledMargins(sentence, {10, 5, 10, 1});
    sentence->addWidget(outcome_);
    column->addLayout(sentence);
    column->addWidget(cards_);
    connect(swap, &QToolButton::clicked, this, &CompareHeader::swapRequested);
    connect(close, &QToolButton::clicked, this, &CompareHeader::closeRequested);
    connect(a_, &QComboBox::activated, this, &CompareHeader::baselineChosen);
    connect(b_, &QComboBox::activated, this, &CompareHeader::planChosen);
}

void CompareHeader::setBaselines(const QStringList& names, int chosen) {
    a_->clear();
    for (const QString& name : names)
        a_->addItem(tr("A  %1").arg(name));
    a_->setCurrentIndex(chosen);
    a_->setToolTip(names.value(chosen));
}

void CompareHeader::setPlans(const QStringList& names, int chosen) {
    b_->clear();
    for (const QString& name : names)
        b_->addItem(tr("B  %1").arg(name));
    b_->setCurrentIndex(chosen);
    b_->setToolTip(names.value(chosen));
}

void CompareHeader::setComparison(const ComparedPtr& compared) {
    isCompared_ = compared != nullptr;
    fitCards();
    unlike_->hide();
    if (!compared) return;
    if (const QString unlike = fromStd(compared->result.unlike); !unlike.isEmpty())
        unlike_->setNotice(Strip::Kind::Info, QStringLiteral("compare"), unlike);
    outcome_->setText(fromStd(compared->result.outcome));
    cards_->setMetrics(compared->result.metrics);
}

void CompareHeader::setNotice(const QString& sentence) {
    outcome_->setText(sentence);
    unlike_->hide();
    isCompared_ = false;
    fitCards();
}

/// In a low window the two maps need the room; the sentence has the main numbers and the table of changes all.
void CompareHeader::fitCards() {
    constexpr int kLeastPage = 560;
    const QWidget* page = parentWidget();
    const bool isLow = page != nullptr && page->height() < themeOf(this).px(kLeastPage);
    cards_->setVisible(isCompared_ && !isLow);
}

void CompareHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitCards();
}

void CompareHeader::setForm(Form form) {
    forms_[static_cast<std::size_t>(form)]->setChecked(true);
    if (form == form_) return;
    form_ = form;
    emit formChanged();
}

}  // namespace memplan::ui

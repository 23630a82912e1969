// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/whatif/whatif_panel.h"

#include "widgets/kit/controls/elide_label.h"
#include "widgets/kit/controls/offer.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr int kPercentSteps = 95;  // the slider ends at 0.95; the field takes up to 1

QLabel* strongLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    withScale(label, [label](const Theme& theme) { label->setFont(theme.font(TextStyle::BodyStrong)); });
    return label;
}

QLabel* faintLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

/// Here B is the trial.
QString trialOutcome(const Compared& compared) {
    const compare::Comparison& c = compared.result;
    return fromStd(compare::outcomeSentence(c.metrics, c.areEqual(), "The trial"));
}

}  // namespace

WhatIfPanel::WhatIfPanel(QWidget* parent)
    : QWidget(parent), coreSlider_(new QSlider(Qt::Horizontal, this)), cores_(new QSpinBox(this)),
      reserveSlider_(new QSlider(Qt::Horizontal, this)), reserve_(new QDoubleSpinBox(this)),
      usable_(new ElideLabel(this)), notice_(faintLabel({}, this)), table_(new QTableView(this)),
      metrics_(new MetricRowModel(this)), apply_(new QPushButton(tr("Apply"), this)),
      keep_(new QPushButton(tr("Keep"), this)), reset_(new QPushButton(tr("Reset"), this)) {
    setObjectName(QStringLiteral("whatIfPanel"));
    setAccessibleName(tr("What-if"));
    build();
}

QGridLayout* WhatIfPanel::buildSliders() {
    coreSlider_->setObjectName(QStringLiteral("whatIfCores"));
    coreSlider_->setPageStep(4);
    cores_->setKeyboardTracking(false);
    reserveSlider_->setObjectName(QStringLiteral("whatIfReserve"));
    reserveSlider_->setRange(0, kPercentSteps);
    reserveSlider_->setPageStep(5);
    reserve_->setLocale(QLocale::c());
    reserve_->setRange(0.0, 1.0);
    reserve_->setSingleStep(0.01);
    reserve_->setDecimals(2);
    reserve_->setKeyboardTracking(false);
    for (QWidget* field : {static_cast<QWidget*>(cores_), static_cast<QWidget*>(reserve_)})
        setScaledSize(field, 76, -1);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(10, 8, 10, 4);
    grid->setVerticalSpacing(4);
    grid->setHorizontalSpacing(10);
    countTitle_ = strongLabel({}, this);
    grid->addWidget(countTitle_, 0, 0);
    grid->addWidget(cores_, 0, 2);
    grid->addWidget(coreSlider_, 1, 0, 1, 3);
    leastCores_ = faintLabel(QStringLiteral("1"), this);
    grid->addWidget(leastCores_, 2, 0);
    mostCores_ = faintLabel({}, this);
    grid->addWidget(mostCores_, 2, 2, Qt::AlignRight);
    countRow_ = {countTitle_, cores_, coreSlider_, leastCores_, mostCores_};
    shareTitle_ = strongLabel({}, this);
    grid->addWidget(shareTitle_, 3, 0);
    usable_->setForegroundRole(QPalette::PlaceholderText);
    usable_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(usable_, 3, 1);
    grid->addWidget(reserve_, 3, 2);
    grid->addWidget(reserveSlider_, 4, 0, 1, 3);
    QLabel* none = faintLabel(QStringLiteral("0.00"), this);
    grid->addWidget(none, 5, 0);
    QLabel* nearlyAll = faintLabel(QString::number(kPercentSteps / 100.0, 'f', 2), this);
    grid->addWidget(nearlyAll, 5, 2, Qt::AlignRight);
    shareRow_ = {shareTitle_, usable_, reserve_, reserveSlider_, none, nearlyAll};
    setAxes(tr("Cores"), tr("Reserved fraction"));
    grid->setColumnStretch(1, 1);
    return grid;
}

void WhatIfPanel::setAxes(const QString& count, const QString& share) {
    countTitle_->setText(count);
    shareTitle_->setText(share);
    for (QWidget* field : {static_cast<QWidget*>(coreSlider_), static_cast<QWidget*>(cores_)})
        field->setAccessibleName(tr("%1, what-if").arg(count));
    reserveSlider_->setAccessibleName(tr("%1 in percent, what-if").arg(share));
    reserve_->setAccessibleName(tr("%1, what-if").arg(share));
    for (QWidget* part : countRow_)
        part->setVisible(!count.isEmpty());
    for (QWidget* part : shareRow_)
        part->setVisible(!share.isEmpty());
}

void WhatIfPanel::build() {
    QGridLayout* grid = buildSliders();
    choiceBox_ = new QWidget(this);
    choiceGrid_ = new QGridLayout(choiceBox_);
    choiceGrid_->setContentsMargins(10, 4, 10, 4);
    choiceGrid_->setVerticalSpacing(4);
    choiceGrid_->setHorizontalSpacing(10);
    choiceGrid_->setColumnStretch(1, 1);
    choiceBox_->hide();
    metrics_->setHeads(tr("Plan"), tr("What-if"));
    table_->setModel(metrics_);
    table_->setObjectName(QStringLiteral("whatIfTable"));
    table_->setAccessibleName(tr("Metrics of the plan on screen and of the trial"));
    setUpTable(table_, MetricRowModel::Metric);
    table_->setSortingEnabled(false);
    notice_->setContentsMargins(10, 2, 10, 4);
    notice_->setWordWrap(true);
    setPrimary(apply_);
    apply_->setToolTip(tr("Make these values the document's settings, in one step that can be undone"));
    keep_->setToolTip(tr("Put the plan into the history; the settings stay as they are"));
    reset_->setToolTip(tr("Back to the plan of the document (Esc)"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(10, 4, 10, 8);
    buttons->setSpacing(6);
    for (QPushButton* button : {apply_, keep_, reset_}) {
        button->setEnabled(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(grid);
    column->addWidget(choiceBox_);
    column->addWidget(notice_);
    column->addWidget(table_);
    column->addLayout(buttons);
    column->addStretch(1);
    connect(apply_, &QPushButton::clicked, this, &WhatIfPanel::applyRequested);
    connect(keep_, &QPushButton::clicked, this, &WhatIfPanel::keepRequested);
    connect(reset_, &QPushButton::clicked, this, &WhatIfPanel::resetRequested);
    connectSliders();
}

void WhatIfPanel::connectSliders() {
    connect(coreSlider_, &QSlider::valueChanged, this, [this](int n) {
        const QScopedValueRollback<bool> guard(filling_, true);
        cores_->setValue(n * step_);
    });
    connect(reserveSlider_, &QSlider::valueChanged, this, [this](int n) {
        if (filling_ && std::lround(reserve_->value() * 100) >= kPercentSteps) return;
        const QScopedValueRollback<bool> guard(filling_, true);
        reserve_->setValue(n / 100.0);
    });
    for (QSlider* slider : {coreSlider_, reserveSlider_}) {
        connect(slider, &QSlider::valueChanged, this, [this, slider] { changed(!slider->isSliderDown()); });
        connect(slider, &QSlider::sliderReleased, this, [this] { changed(true); });
    }
    connect(cores_, &QSpinBox::valueChanged, this, [this](int n) {
        if (filling_) return;
        const int nearest = std::max(1, (n + step_ / 2) / step_);
        if (nearest * step_ != n) cores_->setValue(nearest * step_);
        coreSlider_->setValue(nearest);
    });
    connect(reserve_, &QDoubleSpinBox::valueChanged, this, [this](double f) {
        if (filling_) return;
        {
            const QScopedValueRollback<bool> guard(filling_, true);
            reserveSlider_->setValue(static_cast<int>(std::lround(f * 100)));
        }
        changed(true);
    });
}

void WhatIfPanel::setChoices(const std::vector<WhatIfChoice>& choices) {
    if (choices == choices_) return;
    choices_ = choices;
    combos_.clear();
    qDeleteAll(choiceBox_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    for (const WhatIfChoice& choice : choices_)
        addChoice(choice);
    choiceBox_->setVisible(!choices_.empty());
}

void WhatIfPanel::addChoice(const WhatIfChoice& choice) {
    auto* label = strongLabel(choice.title, choiceBox_);
    auto* combo = new QComboBox(choiceBox_);
    combo->setObjectName(QStringLiteral("whatIf:") + choice.key);
    combo->setAccessibleName(tr("%1, what-if").arg(choice.title));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(16);
    for (qsizetype i = 0; i < choice.values.size(); ++i) {
        combo->addItem(choice.titles[i], choice.values[i]);
        combo->setItemData(static_cast<int>(i), choice.notes.value(i), Qt::ToolTipRole);
    }
    combo->setToolTip(choice.help);
    label->setToolTip(choice.help);
    label->setBuddy(combo);
    connect(combo, &QComboBox::currentIndexChanged, this, [this] { changed(true); });
    const int row = 2 * static_cast<int>(combos_.size());
    choiceGrid_->addWidget(label, row, 0);
    choiceGrid_->addWidget(combo, row, 1);
    combos_[choice.key] = combo;
    if (choice.notes.isEmpty()) return;
    auto* note = faintLabel(choice.notes.value(combo->currentIndex()), choiceBox_);
    note->setObjectName(QStringLiteral("whatIfNote:") + choice.key);
    note->setWordWrap(true);
    connect(combo, &QComboBox::currentIndexChanged, note,
            [note, notes = choice.notes](int index) { note->setText(notes.value(index)); });
    choiceGrid_->addWidget(note, row + 1, 0, 1, 2);
}

void WhatIfPanel::showChoices(const std::map<QString, QString>& choices) {
    const QScopedValueRollback<bool> guard(filling_, true);
    for (const auto& [key, value] : choices) {
        const auto combo = combos_.find(key);
        if (combo == combos_.end()) continue;
        if (const int index = combo->second->findData(value); index >= 0) combo->second->setCurrentIndex(index);
    }
}

void WhatIfPanel::changed(bool isSettled) {
    if (!filling_) emit valuesChanged(isSettled);
}

WhatIfValues WhatIfPanel::values() const {
    WhatIfValues values{cores_->value(), std::round(reserve_->value() * 100) / 100, {}};
    for (const auto& [key, combo] : combos_)
        values.choices[key] = combo->currentData().toString();
    return values;
}

void WhatIfPanel::setBase(const WhatIfValues& values, int mostCores, int step) {
    const QScopedValueRollback<bool> guard(filling_, true);
    base_ = values;
    step_ = std::max(1, step);
    coreSlider_->setRange(1, std::max(1, mostCores / step_));
    cores_->setRange(step_, std::max(step_, mostCores));
    cores_->setSingleStep(step_);
    leastCores_->setText(QString::number(step_));
    mostCores_->setText(QString::number(mostCores));
    coreSlider_->setValue(values.cores / step_);
    cores_->setValue(values.cores);
    reserve_->setValue(values.reserve);
    reserveSlider_->setValue(static_cast<int>(std::lround(values.reserve * 100)));
    for (const auto& [key, combo] : combos_) {
        const auto value = values.choices.find(key);
        combo->setCurrentIndex(value == values.choices.end() ? 0 : std::max(0, combo->findData(value->second)));
    }
    setComparison(nullptr);
}

void WhatIfPanel::setOffered(const QString& whyNot) {
    whyNot_ = whyNot;
    for (QWidget* w : {static_cast<QWidget*>(coreSlider_), static_cast<QWidget*>(cores_),
                       static_cast<QWidget*>(reserveSlider_), static_cast<QWidget*>(reserve_), choiceBox_})
        offer(w, whyNot);
    setComparison(nullptr);  // with its sentence
}

void WhatIfPanel::setUsable(Bytes usable, Bytes physical) {
    usable_->setText(physical > 0 ? tr("usable %1").arg(exactBytes(usable)) : QString());
    usable_->setToolTip(physical > 0 ? tr("usable %1 of %2").arg(exactBytes(usable), exactBytes(physical)) : QString());
}

void WhatIfPanel::setComparison(const ComparedPtr& compared) {
    metrics_->setComparison(compared);
    for (QPushButton* button : {apply_, keep_, reset_})
        button->setEnabled(compared != nullptr);
    // As high as its rows: what one does with them stands below them, not at the foot of the window.
    table_->setVisible(compared != nullptr);
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           metrics_->rowCount() * table_->verticalHeader()->defaultSectionSize() + 4);
    notice_->setText(
        compared ? trialOutcome(*compared)
        : !whyNot_.isEmpty()
            ? whyNot_
            : tr("Move a slider or choose something else: the trial is drawn over the plan, nothing is changed."));
    sizeColumns(table_, 180);
    // A sign stands before the word.
    const int outcome = themeOf(this).px(72);
    table_->setColumnWidth(MetricRowModel::Outcome, std::max(outcome, table_->columnWidth(MetricRowModel::Outcome)));
    fitColumns();
}

/// Names of metrics are read whole: where the panel is narrow the difference goes, which the share says too.
void WhatIfPanel::fitColumns() {
    QHeaderView* head = table_->horizontalHeader();
    table_->setColumnHidden(MetricRowModel::Delta, false);
    const int name = static_cast<const QAbstractItemView*>(table_)->sizeHintForColumn(MetricRowModel::Metric);
    int others = 0;
    for (int c = MetricRowModel::Metric + 1; c < metrics_->columnCount(); ++c)
        others += table_->columnWidth(c);
    const int delta = table_->columnWidth(MetricRowModel::Delta);
    const bool isNarrow = name + others > table_->viewport()->width();
    table_->setColumnHidden(MetricRowModel::Delta, isNarrow);
    const bool fits = name + others - (isNarrow ? delta : 0) <= table_->viewport()->width();
    head->setSectionResizeMode(MetricRowModel::Metric, fits ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

void WhatIfPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!table_->isHidden()) fitColumns();
}

void WhatIfPanel::setNotice(const QString& sentence) {
    notice_->setText(sentence);
}

}  // namespace memplan::ui

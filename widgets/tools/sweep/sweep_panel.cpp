// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/sweep/sweep_panel.h"

#include "widgets/canvas/chart/chart.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/controls/offer.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/tools/sweep/sweep_chart.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

SweepPanel::SweepPanel(QWidget* parent)
    : QWidget(parent), rows_(new QComboBox(this)), rowValues_(new QLineEdit(this)), columns_(new QComboBox(this)),
      columnValues_(new QLineEdit(this)), metric_(new QComboBox(this)), run_(new QPushButton(tr("Run"), this)),
      status_(new QLabel(this)), csv_(new LinkLabel(tr("CSV"), this)), picture_(new LinkLabel(tr("Picture"), this)),
      command_(new LinkLabel(tr("Copy command"), this)), matrix_(new SweepMatrix(this)), chart_(new Chart(this)) {
    setObjectName(QStringLiteral("sweepPanel"));
    setAccessibleName(tr("Sweep"));
    build();
}

void SweepPanel::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(buildFields());
    column->addWidget(matrix_, 1);
    column->addWidget(chart_, 1);
    chart_->setObjectName(QStringLiteral("sweepChart"));
    chart_->hide();
    withScale(matrix_, [this](const Theme& theme) { matrix_->setMinimumHeight(theme.px(80)); });
    status_->setMinimumWidth(40);
    csv_->setToolTip(tr("Save all metrics of all cells as CSV"));
    picture_->setToolTip(tr("Save the picture as PNG, SVG or PDF"));
    command_->setToolTip(tr("Copy the command line that writes this CSV"));
    setHasResult(false);
    connectFields();
}

QGridLayout* SweepPanel::buildFields() {
    auto* grid = new QGridLayout;
    grid->setContentsMargins(10, 6, 10, 4);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    const auto label = [this](const QString& text) {
        auto* l = new QLabel(text, this);
        l->setForegroundRole(QPalette::PlaceholderText);
        return l;
    };
    rows_->setAccessibleName(tr("Setting of the rows"));
    rowValues_->setAccessibleName(tr("Values of the rows"));
    columns_->setAccessibleName(tr("Setting of the columns"));
    columnValues_->setAccessibleName(tr("Values of the columns"));
    metric_->setAccessibleName(tr("Metric of the colours"));
    for (QLineEdit* field : {rowValues_, columnValues_})
        field->setToolTip(tr("Values separated by commas, or a range: 1..32, with a step 4..32:4 or 0.00..0.40:0.05"));
    run_->setObjectName(QStringLiteral("sweepRun"));
    grid->addWidget(label(tr("Rows")), 0, 0);
    grid->addWidget(rows_, 0, 1);
    grid->addWidget(rowValues_, 0, 2);
    grid->addWidget(label(tr("Columns")), 1, 0);
    grid->addWidget(columns_, 1, 1);
    grid->addWidget(columnValues_, 1, 2);
    grid->addWidget(label(tr("Colour")), 2, 0);
    grid->addWidget(metric_, 2, 1);
    auto* line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(run_);
    line->addStretch(1);
    line->addWidget(csv_);
    line->addWidget(picture_);
    line->addWidget(command_);
    grid->addLayout(line, 2, 2);
    status_->setWordWrap(true);
    grid->addWidget(status_, 3, 0, 1, 3);
    // The lists of values are long: they get all the room there is.
    grid->setColumnStretch(2, 1);
    for (QComboBox* box : {rows_, columns_, metric_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(10);
    }
    return grid;
}

void SweepPanel::connectFields() {
    connect(rows_, &QComboBox::activated, this, [this] { keyChosen(rows_, rowValues_); });
    connect(columns_, &QComboBox::activated, this, [this] { keyChosen(columns_, columnValues_); });
    connect(metric_, &QComboBox::activated, this, &SweepPanel::metricChanged);
    connect(run_, &QPushButton::clicked, this, [this] {
        if (running_) return emit cancelRequested();
        emit runRequested();
    });
    for (QLineEdit* field : {rowValues_, columnValues_})
        connect(field, &QLineEdit::returnPressed, this, [this] {
            if (!running_) emit runRequested();
        });
    connect(matrix_, &SweepMatrix::cellChosen, this, &SweepPanel::cellChosen);
    connect(chart_, &Chart::activated, this, &SweepPanel::cellChosen);
    connect(csv_, &LinkLabel::clicked, this, &SweepPanel::csvRequested);
    connect(picture_, &LinkLabel::clicked, this, &SweepPanel::pictureRequested);
    connect(command_, &LinkLabel::clicked, this, &SweepPanel::commandRequested);
}

void SweepPanel::setKeys(const std::vector<SweepKey>& keys, const QString& rows, const QString& columns) {
    rows_->clear();
    columns_->clear();
    rows_->addItem(tr("(one row)"), QString());
    for (const SweepKey& k : keys) {
        for (QComboBox* box : {rows_, columns_}) {
            box->addItem(k.title, k.key);
            box->setItemData(box->count() - 1, k.values, Qt::UserRole + 1);
            box->setItemData(box->count() - 1, k.key, Qt::ToolTipRole);
        }
    }
    rows_->setCurrentIndex(std::max(0, rows_->findData(rows)));
    columns_->setCurrentIndex(std::max(0, columns_->findData(columns)));
    keyChosen(rows_, rowValues_);
    keyChosen(columns_, columnValues_);
}

void SweepPanel::keyChosen(QComboBox* box, QLineEdit* values) {
    values->setText(box->currentData(Qt::UserRole + 1).toString());
    values->setCursorPosition(0);
    values->setToolTip(values->text());
    values->setEnabled(!box->currentData().toString().isEmpty());
}

void SweepPanel::setMetrics(const QStringList& titles) {
    const QSignalBlocker quiet(metric_);
    metric_->clear();
    metric_->addItems(titles);
}

QString SweepPanel::rowKey() const {
    return rows_->currentData().toString();
}

QString SweepPanel::columnKey() const {
    return columns_->currentData().toString();
}

QStringList SweepPanel::axes() const {
    const auto axis = [](const QString& key, const QLineEdit& values) {
        return key + QLatin1Char('=') + values.text().remove(u' ');
    };
    QStringList list;
    if (!rowKey().isEmpty()) list << axis(rowKey(), *rowValues_);
    list << axis(columnKey(), *columnValues_);
    return list;
}

int SweepPanel::metric() const {
    return metric_->currentIndex();
}

void SweepPanel::setRunning(bool on) {
    running_ = on;
    run_->setText(on ? tr("Cancel") : tr("Run"));
}

void SweepPanel::setOffered(const QString& whyNot) {
    for (QWidget* control : {static_cast<QWidget*>(rows_), static_cast<QWidget*>(columns_),
                             static_cast<QWidget*>(metric_), static_cast<QWidget*>(run_)})
        offer(control, whyNot);
    keyChosen(rows_, rowValues_);
    keyChosen(columns_, columnValues_);
    if (whyNot.isEmpty()) return;
    for (QLineEdit* values : {rowValues_, columnValues_}) {
        values->setEnabled(false);
        values->setToolTip(whyNot);
    }
    setStatus(whyNot);
}

void SweepPanel::setStatus(const QString& text, bool isError) {
    status_->setText(text);
    status_->setToolTip(text);
    status_->setForegroundRole(isError ? QPalette::WindowText : QPalette::PlaceholderText);
}

void SweepPanel::setPictures(const std::vector<SweepPicture>& metrics, std::size_t chosen) {
    const bool isLine = !metrics.empty() && metrics.front().rowKey.isEmpty();
    matrix_->setPicture(metrics.empty() ? SweepPicture() : metrics[chosen]);
    chart_->setData(isLine ? sweepChart(metrics, chosen) : ChartData());
    matrix_->setVisible(!isLine);
    chart_->setVisible(isLine);
}

const PictureSource& SweepPanel::picture() const {
    if (chart_->isVisibleTo(this)) return *chart_;
    return *matrix_;
}

void SweepPanel::setHasResult(bool on) {
    for (LinkLabel* link : {csv_, picture_, command_})
        link->setVisible(on);
}

}  // namespace memplan::ui

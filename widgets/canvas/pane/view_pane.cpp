// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/pane/view_pane.h"

#include "widgets/canvas/pane/legend_bar.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/models/plan_table_model.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/models/table_text.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace memplan::ui {

ViewPane::ViewPane(GraphicView* view, int stretchColumn, QWidget* parent)
    : QWidget(parent), view_(view), stretchColumn_(stretchColumn) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    barWidget_ = new WrapBar(this);
    bar_ = new BarLayout(barWidget_);
    legend_ = new LegendBar(barWidget_);
    bar_->setLegend(legend_);
    stack_ = new QStackedWidget(this);
    auto* picture = new QWidget(stack_);
    pictureRow_ = new QHBoxLayout(picture);
    pictureRow_->setContentsMargins(0, 0, 0, 0);
    pictureRow_->setSpacing(0);
    pictureRow_->addWidget(view_, 1);
    stack_->addWidget(picture);
    column->addWidget(barWidget_);
    column->addWidget(stack_, 1);
    setFocusProxy(view_);
    connect(view_, &GraphicView::tableTwinRequested, this, &ViewPane::toggleTable);
    connect(view_, &GraphicView::scopeChanged, this, &ViewPane::refreshLegend);
    refreshLegend();
}

void ViewPane::setSidePanel(QWidget* panel, QAbstractButton* toggle) {
    pictureRow_->addWidget(panel);
    side_ = panel;
    sideToggle_ = toggle;
    if (toggle == nullptr) return;
    connect(toggle, &QAbstractButton::toggled, panel, &QWidget::setVisible);
    connect(toggle, &QAbstractButton::clicked, this, [this] { hasGivenWay_ = false; });  // the user has decided
}

void ViewPane::setSideShown(bool shown) {
    if (sideToggle_ == nullptr) return;
    hasGivenWay_ = shown && isNarrow_;
    sideToggle_->setChecked(shown && !isNarrow_);
}

void ViewPane::letSideGiveWay(int leastPicture) {
    leastPicture_ = leastPicture;
    fitSide();
}

bool ViewPane::showsSide() const {
    return sideToggle_ != nullptr && (sideToggle_->isChecked() || hasGivenWay_);
}

void ViewPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitSide();
}

void ViewPane::fitSide() {
    if (leastPicture_ == 0 || sideToggle_ == nullptr) return;
    const int wanted = std::max(side_->minimumWidth(), side_->sizeHint().width()) + themeOf(this).px(leastPicture_);
    const bool isNarrow = width() < wanted;
    if (isNarrow == isNarrow_) return;
    isNarrow_ = isNarrow;
    if (isNarrow) {
        hasGivenWay_ = sideToggle_->isChecked();
        sideToggle_->setChecked(false);
    } else if (std::exchange(hasGivenWay_, false)) {
        sideToggle_->setChecked(true);
    }
}

bool ViewPane::showsTable() const {
    return stack_->currentIndex() > 0;
}

void ViewPane::refreshLegend() {
    legend_->setEntries(view_->legend());
}

void ViewPane::makeTable() {
    QAbstractItemModel* model = view_->tableModel();
    if (table_ || !model) return;
    table_ = new QTableView(stack_);
    table_->setObjectName(view_->objectName() + QStringLiteral("Table"));
    table_->setAccessibleName(tr("%1 as a table").arg(view_->viewName()));
    auto* sorted = new SortFilterModel(table_);
    sorted->setSourceModel(model);
    table_->setModel(sorted);
    setUpTable(table_, stretchColumn_);
    takeUnits();
    sizeColumns(table_);
    bindSelection(table_, view_->hub());
    makeFilter();
    scope_ = new RowScope(view_->hub(), sorted);
    scope_->setItems(tableItems_);
    const auto sayRange = [this] {
        const QString steps = scope_->rangeText();
        filter_->setPlaceholderText(steps.isEmpty() ? tr("Filter") : tr("Filter in %1").arg(steps));
    };
    connect(scope_, &RowScope::changed, filter_, sayRange);
    sayRange();
    connect(view_, &GraphicView::scopeChanged, this, &ViewPane::takeUnits);
    connect(sorted, &QAbstractItemModel::headerDataChanged, table_, [this] { sizeColumns(table_); });
    connect(filter_, &QLineEdit::textChanged, sorted, &SortFilterModel::setTextFilter);
    auto* back = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_T), table_);
    back->setContext(Qt::WidgetShortcut);
    connect(back, &QShortcut::activated, this, &ViewPane::toggleTable);
    stack_->addWidget(table_);
}

/// Stands in the bar while the table does (2.17).
void ViewPane::makeFilter() {
    filter_ = new QLineEdit(barWidget_);
    filter_->setObjectName(table_->objectName() + QStringLiteral("Filter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter the table"));
    filter_->setClearButtonEnabled(true);
    filter_->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    setScaledMinimumWidth(filter_, 160);
    setScaledSize(filter_, -1, 24);
    bar_->addWidget(filter_);
    filter_->setVisible(showsTable());
    auto* toTable = new QShortcut(QKeySequence(Qt::Key_Down), filter_);
    toTable->setContext(Qt::WidgetShortcut);
    connect(toTable, &QShortcut::activated, table_, qOverload<>(&QWidget::setFocus));
}

void ViewPane::takeUnits() {
    if (auto* model = qobject_cast<PlanTableModel*>(view_->tableModel())) model->setUnits(view_->units());
}

void ViewPane::setTableItems(std::optional<std::vector<ItemId>> items) {
    tableItems_ = std::move(items);
    if (scope_) scope_->setItems(tableItems_);
}

void ViewPane::toggleTable() {
    setTableVisible(!showsTable());
}

void ViewPane::setTableVisible(bool visible) {
    if (visible) makeTable();
    if (visible == showsTable() || (visible && !table_)) return;
    stack_->setCurrentIndex(visible ? 1 : 0);
    legend_->setVisible(!visible);
    filter_->setVisible(visible);
    setFocusProxy(visible ? static_cast<QWidget*>(table_) : view_);
    if (visible)
        table_->setFocus();
    else
        view_->setFocus();
    emit tableToggled(visible);
}

QByteArray ViewPane::tableCsv() const {
    const QAbstractItemModel* model = view_->tableModel();
    const bool isWhole = table_ && filter_->text().isEmpty() && table_->model()->rowCount() == model->rowCount();
    if (isWhole) return tableToCsv(*table_->model());
    return model ? tableToCsv(*model) : QByteArray();
}

}  // namespace memplan::ui

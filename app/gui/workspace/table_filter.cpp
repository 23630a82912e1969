// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/table_filter.h"

#include "widgets/canvas/empty_block.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::app {
namespace {

constexpr int kSeenWhole = 12;  ///< rows

/// A range without rows is what hides them only where no words are in the filter.
ui::EmptyText noMatchText(const QString& words, const QString& steps) {
    if (words.isEmpty())
        return {QStringLiteral("filter"), QObject::tr("No row belongs to %1").arg(steps),
                QObject::tr("The tables speak about the chosen steps."), QObject::tr("Show all steps"),
                QStringLiteral("steps")};
    return {QStringLiteral("filter"),
            steps.isEmpty() ? QObject::tr("No row matches \"%1\"").arg(words)
                            : QObject::tr("No row of %1 matches \"%2\"").arg(steps, words),
            QObject::tr("The filter looks at all columns."), QObject::tr("Clear the filter"), QStringLiteral("clear")};
}

}  // namespace

FilterBar makeFilterBar(ui::SortFilterModel* sorted, const ui::RowScope* scope, const QString& name, QWidget* parent) {
    auto* bar = new ui::WrapBar(parent);
    auto* line = new ui::BarLayout(bar);
    auto* count = new QLabel(bar);
    count->setObjectName(name + QStringLiteral("Count"));
    count->setTextFormat(Qt::PlainText);
    count->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(count);
    line->addStretch();
    auto* filter = new QLineEdit(bar);
    filter->setObjectName(name + QStringLiteral("Filter"));
    filter->setPlaceholderText(QObject::tr("Filter"));
    filter->setAccessibleName(QObject::tr("Filter the table"));
    filter->setClearButtonEnabled(true);
    filter->addAction(ui::icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    ui::setScaledMaximumWidth(filter, 200);
    ui::setScaledSize(filter, -1, 24);
    line->addWidget(filter);
    QObject::connect(filter, &QLineEdit::textChanged, sorted, &ui::SortFilterModel::setTextFilter);
    QObject::connect(sorted, &ui::SortFilterModel::filterChanged, bar, [sorted, scope, count, bar] {
        const int all = sorted->sourceModel()->rowCount(), shown = sorted->rowCount();
        const QString rows = ui::plural(all, QObject::tr("row"), QObject::tr("rows"));
        QString text = shown == all ? rows : QObject::tr("%1 of %2").arg(ui::groupedText(shown), rows);
        if (const QString steps = scope->rangeText(); !steps.isEmpty()) text += QStringLiteral(", ") + steps;
        count->setText(text);
        count->updateGeometry();
        // A table that is seen whole needs no row above it.
        bar->setVisible(all > kSeenWhole || shown != all);
    });
    bar->hide();
    return {bar, filter};
}

void addNoMatch(QTableView* table, ui::SortFilterModel* sorted, ui::RowScope* scope, QLineEdit* filter) {
    auto* block = new ui::EmptyBlock(table);
    block->setObjectName(table->objectName() + QStringLiteral("NoMatch"));
    block->hide();
    const auto fit = [table, sorted, scope, filter, block] {
        const bool isEmpty = sorted->rowCount() == 0 && sorted->sourceModel()->rowCount() > 0;
        block->setVisible(isEmpty);
        if (!isEmpty) return;
        block->setText(noMatchText(filter->text(), scope->rangeText()));
        const int head = table->horizontalHeader()->height();
        block->resize(block->sizeHint().boundedTo(QSize(table->width(), table->height() - head)));
        block->move((table->width() - block->width()) / 2, head + (table->height() - head - block->height()) / 2);
    };
    QObject::connect(sorted, &ui::SortFilterModel::filterChanged, block, fit);
    QObject::connect(table->horizontalHeader(), &QHeaderView::geometriesChanged, block, fit);
    QObject::connect(block, &ui::EmptyBlock::triggered, filter, [filter, scope](const QString& key) {
        if (key == u"steps")
            scope->clearRange();
        else
            filter->clear();
    });
}

PlanTable makePlanTable(QAbstractItemModel* model, ui::SelectionHub* hub, const QString& name, int stretch,
                        QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* table = new QTableView(box);
    auto* sorted = new ui::SortFilterModel(table);
    sorted->setSourceModel(model);
    table->setModel(sorted);
    table->setObjectName(name);
    table->setAccessibleName(name);
    ui::setUpTable(table, stretch);
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder);
    ui::bindSelection(table, hub);
    ui::setUpItemMenu(table, hub);
    QObject::connect(hub, &ui::SelectionHub::planChanged, table, [table] { ui::sizeColumns(table); });
    QObject::connect(sorted, &QAbstractItemModel::headerDataChanged, table, [table] { ui::sizeColumns(table); });
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* scope = new ui::RowScope(hub, sorted);
    const FilterBar filter = makeFilterBar(sorted, scope, name, box);
    column->addWidget(filter.bar);
    column->addWidget(table, 1);
    box->setFocusProxy(table);
    addNoMatch(table, sorted, scope, filter.filter);
    return {box, table};
}

}  // namespace memplan::app

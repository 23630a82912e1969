// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/review_docks.h"

#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/edge_table.h"
#include "widgets/views/coregrid/ops_matrix.h"

#include <QDockWidget>
#include <QTableView>

namespace memplan::app {

ReviewDocks::ReviewDocks(ui::SelectionHub* hub, QWidget* parent)
    : QObject(parent), hub_(hub), matrix_(new ui::OpsMatrix(hub, parent)), edges_(new QTableView(parent)),
      model_(new ui::EdgeTableModel(this)) {
    edges_->setObjectName(QStringLiteral("edgeTable"));
    edges_->setAccessibleName(tr("Edges and their splits"));
    auto* sorted = new ui::SortFilterModel(edges_);
    sorted->setSourceModel(model_);
    edges_->setModel(sorted);
    ui::setUpTable(edges_, ui::EdgeTableModel::Result);
    edges_->setSortingEnabled(true);
    edges_->sortByColumn(-1, Qt::AscendingOrder);
    ui::bindSelection(edges_, hub);
    ui::setUpItemMenu(edges_, hub);
    auto* scope = new ui::RowScope(hub, sorted);
    connect(scope, &ui::RowScope::changed, this, &ReviewDocks::fill);
    connect(hub, &ui::SelectionHub::planChanged, this, &ReviewDocks::fill);
}

void ReviewDocks::setUnits(const ui::Units& units) {
    model_->setUnits(units);
}

QWidget* ReviewDocks::matrix() const {
    return matrix_;
}

QWidget* ReviewDocks::edges() const {
    return edges_;
}

void ReviewDocks::setDocks(QDockWidget* matrix, QDockWidget* edges) {
    titles_ = {new ui::DockTitleBar(matrix->windowTitle(), matrix), new ui::DockTitleBar(edges->windowTitle(), edges)};
    connect(edges, &QDockWidget::visibilityChanged, this, &ReviewDocks::fill);
    connect(matrix, &QDockWidget::visibilityChanged, this, &ReviewDocks::fill);
}

void ReviewDocks::fill() {
    const PlanPtr plan = edges_->isVisible() ? hub_->plan() : nullptr;
    if (plan != model_->plan()) {
        model_->setPlan(plan);
        ui::sizeColumns(edges_);
    }
    if (titles_[0] == nullptr || !hub_->plan()) return;
    const auto ops = static_cast<qint64>(hub_->plan()->ops.size());
    titles_[0]->setScope(tr("share of the work per core, %1").arg(ui::plural(ops, tr("operation"), tr("operations"))));
    if (!plan) return;
    const auto range = hub_->range();
    const QString all = tr("%1, of them %2 mismatched").arg(model_->rowCount()).arg(model_->mismatchCount());
    titles_[1]->setScope(range ? tr("%1; shown: steps %2").arg(all, ui::rangeText(*range)) : all);
}

}  // namespace memplan::app

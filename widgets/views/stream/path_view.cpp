// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/path_view.h"

#include "widgets/canvas/chart/chart.h"
#include "widgets/kit/theme/scaled.h"

#include <QHBoxLayout>

#include <utility>

namespace memplan::ui {

PathView::PathView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), facts_(new ReportTree(tr("Layers and paths"), hub, this)),
      runs_(new ReportTree(tr("Runs of one annotation"), hub, this)), bindings_(new Chart(this)) {
    setObjectName(QStringLiteral("pathView"));
    setAccessibleName(tr("Paths"));
    facts_->setObjectName(QStringLiteral("pathTable"));
    facts_->setHeads(factHeads(tr("Layers and paths")));
    runs_->setObjectName(QStringLiteral("runTable"));
    runs_->setHeads({{tr("Run"), false, tr("Stretch of one annotation on a longest path")},
                     {tr("Ops"), true, tr("Without Concatenates")},
                     {tr("Reach"), true,
                      tr("Layers by which the bound falls if these nodes took no time: the most that "
                         "work on this run alone can gain")}});
    bindings_->setObjectName(QStringLiteral("bindingChart"));
    QHBoxLayout* row = scrolledRow(this);
    const std::pair<QWidget*, int> parts[]{{facts_, 420}, {runs_, 330}, {bindings_, 200}};
    for (const auto& [part, width] : parts) {
        setScaledMinimumWidth(part, width);
        row->addWidget(part, width);
    }
    setFocusProxy(facts_);
    connect(hub_, &SelectionHub::planChanged, this, &PathView::refresh);
    refresh();
}

void PathView::refresh() {
    const PlanPtr& plan = hub_->plan();
    facts_->setRows(factRows(pathFacts(plan)));
    std::vector<ReportRow> rows;
    for (const RunLine& run : runLines(plan))
        rows.push_back({QString::number(run.start),
                        {{run.annotation}, numberCell(run.realOps), numberCell(run.reach)},
                        run.items});
    runs_->setRows(rows);
    bindings_->setData(bindingChart(plan));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/parameter_view.h"

#include "widgets/canvas/chart/chart.h"
#include "widgets/kit/theme/scaled.h"

#include <QHBoxLayout>

#include <utility>

namespace memplan::ui {

ParameterView::ParameterView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), table_(new ReportTree(tr("Parameter tiers"), hub, this)),
      facts_(new ReportTree(tr("Ratios of parameters"), hub, this)), tiers_(new Chart(this)),
      occupancy_(new Chart(this)) {
    setObjectName(QStringLiteral("parameterView"));
    setAccessibleName(tr("Parameters"));
    table_->setObjectName(QStringLiteral("tierTable"));
    table_->setHeads({{tr("Tier")}, {tr("Parameters"), true}, {tr("Of capacity"), true}});
    facts_->setHeads(factHeads(tr("Ratio")));
    tiers_->setObjectName(QStringLiteral("tierChart"));
    occupancy_->setObjectName(QStringLiteral("occupancyChart"));
    QHBoxLayout* row = scrolledRow(this);
    const std::pair<QWidget*, int> parts[]{{table_, 312}, {facts_, 236}, {tiers_, 200}, {occupancy_, 200}};
    for (const auto& [part, width] : parts) {
        setScaledMinimumWidth(part, width);
        row->addWidget(part, width);
    }
    setFocusProxy(table_);
    connect(hub_, &SelectionHub::planChanged, this, &ParameterView::refresh);
    refresh();
}

void ParameterView::refresh() {
    const PlanPtr& plan = hub_->plan();
    std::vector<ReportRow> rows;
    for (const TierLine& line : tierLines(plan))
        rows.push_back(
            {line.name,
             {{line.name, {}, line.help}, numberCell(line.parameters, line.help), shareCell(line.ofCapacity)}});
    table_->setRows(rows);
    facts_->setRows(factRows(tierFacts(plan)));
    tiers_->setData(tierChart(plan));
    occupancy_->setData(occupancyChart(plan));
}

}  // namespace memplan::ui

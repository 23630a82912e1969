// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/compare/changes_view.h"

#include "widgets/canvas/empty_block.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"

#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::ui {

ChangesView::ChangesView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), model_(new ChangeModel(this)), metrics_(new MetricRowModel(this)),
      sorted_(new SortFilterModel(this)), table_(new QTableView(this)), metricTable_(new QTableView(this)),
      pages_(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("changesView"));
    setAccessibleName(tr("Changes between plan A and plan B"));
    build();
}

void ChangesView::build() {
    QWidget* bar = buildBar();
    buildTables();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(pages_, 1);
}

QWidget* ChangesView::buildBar() {
    auto* bar = new WrapBar(this);
    auto* line = new BarLayout(bar);
    auto* changes = new Chip(tr("Changes"), bar);
    all_ = new Chip(tr("Metrics"), bar);
    for (Chip* chip : {changes, all_}) {
        chip->setCheckable(true);
        chip->setAutoExclusive(true);
        line->addWidget(chip);
    }
    changes->setChecked(true);
    connect(all_, &Chip::toggled, this, [this](bool on) {
        residency_->setVisible(!on);
        applyFilter();
    });
    residency_ = new Chip(tr("Only residency changes"), bar);
    residency_->setObjectName(QStringLiteral("residencyOnlyChip"));
    line->addWidget(residency_);
    connect(residency_, &Chip::toggled, this, &ChangesView::applyFilter);
    for (Chip*& chip : kinds_) {
        chip = new Chip(QString(), bar);
        chip->setChecked(true);
        chip->hide();
        line->addWidget(chip);
        connect(chip, &Chip::toggled, this, &ChangesView::applyFilter);
    }
    line->addStretch();
    matched_ = new QLabel(bar);
    matched_->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(matched_);
    auto* csv = new LinkLabel(tr("CSV"), bar);
    csv->setToolTip(tr("Save the change table as CSV"));
    connect(csv, &LinkLabel::clicked, this, &ChangesView::csvRequested);
    line->addWidget(csv);
    auto* pages = new LinkLabel(tr("PDF"), bar);
    pages->setToolTip(tr("Save the comparison as pages: outcome and metrics, both memory maps, changes"));
    connect(pages, &LinkLabel::clicked, this, &ChangesView::pagesRequested);
    line->addWidget(pages);
    return bar;
}

void ChangesView::buildTables() {
    sorted_->setSourceModel(model_);
    table_->setModel(sorted_);
    table_->setObjectName(QStringLiteral("changesTable"));
    table_->setAccessibleName(tr("Changes"));
    setUpTable(table_, ChangeModel::Effect);
    table_->setTextElideMode(Qt::ElideRight);
    bindSelection(table_, hub_);
    setUpItemMenu(table_, hub_);
    metricTable_->setModel(metrics_);
    metricTable_->setObjectName(QStringLiteral("metricTable"));
    metricTable_->setAccessibleName(tr("Metrics of A and B"));
    setUpTable(metricTable_, MetricRowModel::Outcome);
    metricTable_->setSortingEnabled(false);
    pages_->addWidget(table_);
    pages_->addWidget(metricTable_);
    auto* empty = new EmptyBlock(this);
    empty->setText({QStringLiteral("compare"), tr("No two plans are being compared."),
                    tr("Choose a plan A to hold against the plan on screen."), tr("Compare"),
                    QStringLiteral("compare")});
    connect(empty, &EmptyBlock::triggered, this, &ChangesView::compareRequested);
    auto* holder = new QWidget(this);
    auto* middle = new QVBoxLayout(holder);
    middle->addStretch(1);
    middle->addWidget(empty, 0, Qt::AlignHCenter);
    middle->addStretch(1);
    pages_->addWidget(holder);
}

void ChangesView::setComparison(const ComparedPtr& compared) {
    // The filter looks rows up in the comparison that it was made for: no row of another one may reach it.
    sorted_->setRowFilter({});
    model_->setComparison(compared);
    metrics_->setComparison(compared);
    for (int k = 0; k < compare::kChangeKinds; ++k) {
        const auto kind = static_cast<compare::ChangeKind>(k);
        const int count = compared ? compared->result.count(kind) : 0;
        Chip* chip = kinds_[static_cast<std::size_t>(k)];
        const std::string_view name = compare::kindText(kind);
        chip->setText(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())) + QLatin1Char(' ') +
                      groupedText(count));
        chip->updateGeometry();
    }
    const auto text = [](const auto& partners) {
        return tr("%1 of %2").arg(partners.matched()).arg(partners.inA.size());
    };
    matched_->setText(compared ? tr("matched: %1 buffers, %2 operations")
                                     .arg(text(compared->result.match.buffers), text(compared->result.match.ops))
                               : QString());
    applyFilter();
    sizeColumns(table_);
    table_->setColumnWidth(ChangeModel::Sign, themeOf(this).px(32));
    sizeColumns(metricTable_);
}

void ChangesView::applyFilter() {
    const ComparedPtr compared = model_->comparison();
    const bool residency = residency_->isChecked();
    const bool isTable = !all_->isChecked();
    pages_->setCurrentIndex(!compared ? 2 : isTable ? 0 : 1);
    std::array<bool, compare::kChangeKinds> wanted{};
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        wanted[k] = kinds_[k]->isChecked();
        const bool any = compared && compared->result.counts[k] > 0;
        kinds_[k]->setVisible(any && !residency && isTable);
    }
    sorted_->setRowFilter([compared, residency, wanted](const QAbstractItemModel&, int row) {
        if (!compared) return false;
        const compare::Change& c = compared->result.changes[static_cast<std::size_t>(row)];
        if (residency) return compare::isResidencyChange(c, *compared->a, *compared->b);
        return wanted[static_cast<std::size_t>(c.kind)];
    });
}

int ChangesView::shownCount() const {
    return sorted_->rowCount();
}

}  // namespace memplan::ui

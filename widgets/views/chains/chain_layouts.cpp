// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_layouts.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

QString nanoseconds(double ns) {
    return groupedText(static_cast<qint64>(std::llround(ns)));
}

QString differenceText(double ns) {
    const qint64 value = std::llround(ns);
    if (value == 0) return QStringLiteral("0");
    return value < 0 ? ChainLayouts::tr("\u25b2 better %1").arg(groupedText(value))
                     : ChainLayouts::tr("\u25bc worse +%1").arg(groupedText(value));
}

}  // namespace

ChainLayouts::ChainLayouts(ChainView* view, QWidget* parent)
    : SidePage(view, parent), title_(sideSentence({}, this)), configs_(new QStandardItemModel(this)),
      configTable_(sideTable(configs_, tr("Configurations"), this)),
      force_(new QPushButton(tr("Force this layout"), this)), memoryTitle_(sideSentence({}, this)),
      memories_(new QStandardItemModel(this)),
      memoryTable_(sideTable(memories_, tr("What each kind of memory would give"), this)),
      use_(new QPushButton(tr("Use this"), this)), words_(sideNote({}, this)) {
    use_->setObjectName(QStringLiteral("useMemory"));
    column()->addWidget(title_);
    column()->addWidget(configTable_, 3);
    column()->addWidget(force_, 0, Qt::AlignLeft);
    column()->addWidget(memoryTitle_);
    column()->addWidget(memoryTable_, 2);
    column()->addWidget(words_);
    column()->addWidget(use_, 0, Qt::AlignLeft);
    memoryTable_->setObjectName(QStringLiteral("tradeOffs"));
    configTable_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(configTable_, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
        const int row = configTable_->rowAt(at.y());
        if (row < 0 || !this->view()->hub()->offersHints()) return;
        QMenu menu;
        connect(menu.addAction(tr("Force this layout")), &QAction::triggered, this, [this, row] { force(row); });
        menu.exec(configTable_->viewport()->mapToGlobal(at));
    });
    connect(force_, &QPushButton::clicked, this, [this] { force(configTable_->currentIndex().row()); });
    connect(configTable_, &QTableView::activated, this, [this](const QModelIndex& at) { force(at.row()); });
    connect(configTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        force_->setEnabled(configTable_->currentIndex().isValid() && this->view()->hub()->offersHints());
    });
    connect(memoryTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& at) {
                const auto row = static_cast<std::size_t>(std::max(0, at.row()));
                const bool isRow = at.isValid() && row < tradeOffs_.rows.size();
                use_->setEnabled(isRow && tradeOffs_.rows[row].canUse && this->view()->hub()->offersHints());
                words_->setText(
                    !isRow ? QString()
                    : tradeOffs_.rows[row].message.isEmpty()
                        ? tradeOffs_.rows[row].words
                        : tr("%1. Not possible: %2").arg(tradeOffs_.rows[row].words, tradeOffs_.rows[row].message));
            });
    connect(use_, &QPushButton::clicked, this, [this] { emit tradeOffUsed(memoryTable_->currentIndex().row()); });
}

void ChainLayouts::refresh() {
    fillConfigurations();
    const OpId op = selectedOp();
    if (data() && op.isValid() && op != tradeOffs_.op) {
        tradeOffs_ = {};
        emit tradeOffsWanted(op);
    }
    fillTradeOffs();
}

void ChainLayouts::setTradeOffs(const ChainTradeOffs& tradeOffs) {
    tradeOffs_ = tradeOffs;
    fillTradeOffs();
}

void ChainLayouts::fillConfigurations() {
    configs_->clear();
    configs_->setHorizontalHeaderLabels(
        {tr("Layout"), tr("Kernel"), tr("Cores"), tr("Bytes"), tr("Usage"), tr("State")});
    rows_.clear();
    constexpr int kKernel = 1;
    configTable_->setColumnHidden(kKernel, true);
    force_->setEnabled(false);
    const OpId op = selectedOp();
    if (!data() || !op.isValid()) return title_->setText(tr("Select an operation."));
    const auto& records = data()->record().record.ops;
    rows_ = configRows(*data(), op);
    QString title = nameOf(op);
    if (rows_.empty() && !data()->hasPairs())
        title +=
            data()->record().hasChains
                ? tr("\nA plan that was read from a file does not hold the configurations: they are of the compile.")
                : tr("\nThis policy weighs the layouts of all operations at once: there is no list by chain.");
    else if (rows_.empty())
        title += QStringLiteral("\n") + outsideSentence(*view()->plan(), op);
    else
        title += tr(": %1").arg(
            plural(static_cast<qint64>(rows_.size()), tr("sharded configuration"), tr("sharded configurations")));
    if (static_cast<std::size_t>(op.index) < records.size()) {
        const auto& refusals = records[static_cast<std::size_t>(op.index)].refusals;
        for (std::size_t i = 0; i < refusals.size() && i < 3; ++i)
            title += QStringLiteral("\n%1: %2")
                         .arg(plural(refusals[i].second, tr("time"), tr("times")), fromStd(refusals[i].first));
    }
    title_->setText(title);
    for (const ConfigRow& row : rows_) {
        const QString page = row.layout.isTiled() ? QString() : tr(", row major");
        QList<QStandardItem*> cells{tableItem(shortLayoutText(row.layout) + page),
                                    tableItem(row.kernel),
                                    tableItem(groupedText(row.layout.grid.volume()), true),
                                    tableItem(groupedText(row.layout.shardBytes()), true),
                                    tableItem(groupedText(static_cast<qint64>(row.acc)), true),
                                    tableItem(row.state)};
        cells.back()->setToolTip(row.state);
        const Token token = row.isChosen ? Token::Good : row.isGone ? Token::Text3 : Token::Text1;
        for (QStandardItem* cell : cells)
            cell->setForeground(themeOf(this).color(token));
        configs_->appendRow(cells);
    }
    configTable_->setColumnHidden(kKernel,
                                  std::ranges::all_of(rows_, [](const ConfigRow& r) { return r.kernel.isEmpty(); }));
    configTable_->resizeColumnsToContents();
}

void ChainLayouts::fillTradeOffs() {
    memories_->clear();
    memories_->setHorizontalHeaderLabels({tr("Memory"), tr("Difference, ns"), tr("Total, ns"), tr("Operation, ns"),
                                          tr("Bound by"), tr("Cores"), tr("Bytes"), tr("Needs"), tr("Room left"),
                                          tr("Conversions"), tr("DRAM bytes"), tr("Readers"), tr("Layout")});
    use_->setEnabled(false);
    words_->setText({});
    const bool isOf = tradeOffs_.op.isValid() && tradeOffs_.op == selectedOp();
    memoryTable_->setVisible(isOf && !tradeOffs_.rows.empty());
    use_->setVisible(memoryTable_->isVisibleTo(this));
    words_->setVisible(memoryTable_->isVisibleTo(this));
    memoryTitle_->setVisible(isOf);
    if (!isOf) return;
    memoryTitle_->setText(tradeOffs_.rows.empty()
                              ? tradeOffs_.state
                              : tr("What each kind of memory would give %1").arg(nameOf(tradeOffs_.op)));
    for (const ChainTradeOff& row : tradeOffs_.rows) {
        QList<QStandardItem*> cells{tableItem(row.isCurrent ? tr("%1 (now)").arg(row.memory) : row.memory)};
        cells.front()->setToolTip(row.words);
        if (row.isPossible)
            cells << tableItem(differenceText(row.differenceNs), true) << tableItem(nanoseconds(row.totalNs), true)
                  << tableItem(nanoseconds(row.ns), true) << tableItem(row.boundBy)
                  << tableItem(groupedText(row.cores), true) << tableItem(groupedText(row.shardBytes), true)
                  << tableItem(groupedText(row.need), true) << tableItem(groupedText(row.room), true)
                  << tableItem(row.conversions > 0
                                   ? tr("%1 (%2 ns)").arg(row.conversions).arg(nanoseconds(row.conversionNs))
                                   : QStringLiteral("0"),
                               true)
                  << tableItem(groupedText(row.dramBytes), true)
                  << tableItem(tr("%1 of %2").arg(row.accepting).arg(row.readers), true) << tableItem(row.layout);
        else
            cells << tableItem(tr("not possible"));
        memories_->appendRow(cells);
    }
    memoryTable_->resizeColumnsToContents();
}

void ChainLayouts::force(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= rows_.size() || !view()->hub()->offersHints()) return;
    emit proposed(layoutProposal(*data(), selectedOp(), rows_[static_cast<std::size_t>(row)].layout));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_side.h"

#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/path_matrix.h"
#include "widgets/views/chains/state_diagram.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::ui {

namespace {

constexpr int kWidth = 348, kMargin = 10;

QLabel* sentence(const QString& text, QWidget* parent, TextStyle style = TextStyle::Body) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFont(themeOf(parent).font(style));
    return label;
}

QWidget* page(QVBoxLayout*& column) {
    auto* widget = new QWidget;
    column = new QVBoxLayout(widget);
    setScaledMargins(column, {kMargin, kMargin, kMargin, kMargin}, 6);
    return widget;
}

QStandardItem* item(const QString& text, bool isNumber = false) {
    auto* made = new QStandardItem(text);
    made->setEditable(false);
    if (isNumber) made->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return made;
}

}  // namespace

ChainSide::ChainSide(ChainView* view, QWidget* parent)
    : QWidget(parent), view_(view), tabs_(new QTabBar(this)), stack_(new QStackedWidget(this)),
      chain_(new QScrollArea(this)), matrix_(new PathMatrix), configs_(new QStandardItemModel(this)),
      reserved_(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("chainSide"));
    setScaledSize(this, kWidth, -1);
    for (const QString& name : {tr("Chain"), tr("Path matrix"), tr("Layouts"), tr("Reservations")})
        tabs_->addTab(name);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    chain_->setWidgetResizable(true);
    chain_->setFrameShape(QFrame::NoFrame);
    chain_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    stack_->addWidget(chain_);

    QVBoxLayout* column = nullptr;
    QWidget* paths = page(column);
    pathsTitle_ = sentence({}, paths);
    recompile_ = new QPushButton(tr("Compile again"), paths);
    auto* scroll = new QScrollArea(paths);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(matrix_);
    column->addWidget(pathsTitle_);
    column->addWidget(recompile_, 0, Qt::AlignLeft);
    column->addWidget(scroll, 1);
    stack_->addWidget(paths);

    QWidget* configs = page(column);
    configsTitle_ = sentence({}, configs);
    column->addWidget(configsTitle_);
    configTable_ = makeTable(configs_, tr("Configurations"));
    column->addWidget(configTable_, 1);
    force_ = new QPushButton(tr("Force this layout"), configs);
    column->addWidget(force_, 0, Qt::AlignLeft);
    stack_->addWidget(configs);

    QWidget* reserved = page(column);
    reservedTitle_ = sentence({}, reserved);
    column->addWidget(reservedTitle_);
    column->addWidget(makeTable(reserved_, tr("Reservations")), 1);
    stack_->addWidget(reserved);

    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(1, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(tabs_);
    box->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, stack_, &QStackedWidget::setCurrentIndex);
    connect(view_, &ChainView::shownChanged, this, &ChainSide::refresh);
    connect(view_, &ChainView::edgeChosen, this, [this] { showPage(Paths); });
    connect(view_, &ChainView::laneChosen, this, [this] { showPage(Chain); });
    connect(recompile_, &QPushButton::clicked, this, &ChainSide::recompileRequested);
    connect(force_, &QPushButton::clicked, this, [this] { force(configTable_->currentIndex().row()); });
    connect(configTable_, &QTableView::activated, this, [this](const QModelIndex& at) { force(at.row()); });
    connect(configTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { force_->setEnabled(configTable_->currentIndex().isValid() && view_->hub()->offersHints()); });
}

QTableView* ChainSide::makeTable(QStandardItemModel* model, const QString& name) {
    auto* table = new QTableView;
    table->setModel(model);
    table->setAccessibleName(name);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(themeOf(this).px(24));
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setHighlightSections(false);
    table->setFrameShape(QFrame::NoFrame);
    return table;
}

void ChainSide::showPage(Page page) {
    tabs_->setCurrentIndex(page);
}

/// Nobody sees it: it is filled when it is shown.
void ChainSide::refresh() {
    isPending_ = !isVisible();
    if (isPending_) return;
    fillChain();
    fillPaths();
    fillConfigurations();
    fillReservations();
}

void ChainSide::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (isPending_) refresh();
}

OpId ChainSide::selectedOp() const {
    const std::optional<ItemId> primary = view_->hub()->primary();
    const PlanPtr& plan = view_->plan();
    if (!primary || !plan) return {};
    if (primary->kind == ItemKind::Op) return OpId{primary->index};
    return primary->kind == ItemKind::Buffer ? plan->buffer(BufferId{primary->index}).producer : OpId{};
}

// ---- chain ----

void ChainSide::fillChain() {
    QVBoxLayout* column = nullptr;
    QWidget* content = page(column);
    const ChainDataPtr& chains = view_->chainData();
    const int lane = view_->lane();
    const bool isKnown = chains && lane >= 0 && static_cast<std::size_t>(lane) < chains->lanes().size();
    if (!isKnown) {
        column->addWidget(sentence(tr("Select a chain or one of its operations."), content));
    } else {
        const ChainLane& row = chains->lanes()[static_cast<std::size_t>(lane)];
        column->addWidget(sentence(tr("%1, %2").arg(row.title, plural(static_cast<qint64>(row.cells.size()),
                                                                      tr("operation"), tr("operations"))),
                                   content, TextStyle::ObjectTitle));
        auto* diagram = new StateDiagram(content);
        diagram->setState(row.state);
        column->addWidget(diagram);
        int number = 0;
        for (const StoryStep& step : chainStory(*chains, lane)) {
            column->addWidget(
                sentence(QStringLiteral("%1  %2").arg(++number).arg(step.title), content, TextStyle::BodyStrong));
            if (!step.lines.isEmpty()) column->addWidget(sentence(step.lines.join(u'\n'), content, TextStyle::Small));
        }
        const bool isOffered = view_->hub()->offersHints();
        for (const ChainProposal& proposal : chainProposals(*chains, lane)) {
            if (!isOffered) break;
            auto* card = new FixCard({proposal.title, proposal.text, proposal.button, {}, false}, false, content);
            connect(card, &FixCard::applied, this, [this, proposal] { emit proposed(proposal); });
            column->addWidget(card);
        }
    }
    column->addStretch(1);
    chain_->setWidget(content);
}

// ---- paths ----

/// The edge into an operation from the one before it in its chain.
int ChainSide::edgeOf(OpId op) const {
    const auto& edges = view_->chainData()->record().record.edges;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].consumer == op && edges[i].producer.isValid()) return static_cast<int>(i);
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].producer == op) return static_cast<int>(i);
    return -1;
}

void ChainSide::fillPaths() {
    const ChainDataPtr& chains = view_->chainData();
    recompile_->hide();
    matrix_->setEdge(nullptr, -1);
    if (!chains) return pathsTitle_->setText({});
    const OpId op = selectedOp();
    const int edge = view_->edge() >= 0 ? view_->edge() : op.isValid() ? edgeOf(op) : -1;
    if (edge < 0)
        return pathsTitle_->setText(tr("Select the count between two operations of a chain, or an operation."));
    const ttnn::EdgeInfo& info = chains->record().record.edges[static_cast<std::size_t>(edge)];
    const auto name = [this](OpId id) { return id.isValid() ? view_->hub()->itemName(ItemId::of(id)) : tr("entry"); };
    QString title = tr("%1 to %2, operand %3").arg(name(info.producer), name(info.consumer)).arg(info.operand);
    if (!chains->hasPairs()) {
        recompile_->setVisible(view_->hub()->offersHints());
        return pathsTitle_->setText(
            title + tr("\nA plan that was read from a file does not hold the pairs: they are of the compile."));
    }
    const auto alive = std::ranges::count(info.dropped, 0);
    title += tr("\n%1 producer and %2 consumer configurations; %3 pairs fit, %4 are left. A number is the round that "
                "removed the pair; the chosen pair is ringed.")
                 .arg(info.producerConfigs)
                 .arg(info.consumerConfigs)
                 .arg(info.paths.size())
                 .arg(alive);
    if (info.reshard)
        title +=
            tr("\nReshard (%1) to %2.").arg(fromStd(std::string(wordOf(info.origin))), shortLayoutText(*info.reshard));
    pathsTitle_->setText(title);
    matrix_->setEdge(chains, edge);
}

// ---- configurations ----

void ChainSide::fillConfigurations() {
    const ChainDataPtr& chains = view_->chainData();
    configs_->clear();
    configs_->setHorizontalHeaderLabels({tr("Layout"), tr("Cores"), tr("Bytes"), tr("Usage"), tr("State")});
    rows_.clear();
    force_->setEnabled(false);
    const OpId op = selectedOp();
    if (!chains || !op.isValid()) return configsTitle_->setText(tr("Select an operation."));
    const auto& records = chains->record().record.ops;
    rows_ = configRows(*chains, op);
    QString title = view_->hub()->itemName(ItemId::of(op));
    if (rows_.empty() && !chains->hasPairs())
        title += tr("\nA plan that was read from a file does not hold the configurations: they are of the compile.");
    else if (rows_.empty())
        title += QStringLiteral("\n") + outsideSentence(*view_->plan(), op);
    else
        title += tr(": %1").arg(
            plural(static_cast<qint64>(rows_.size()), tr("sharded configuration"), tr("sharded configurations")));
    if (static_cast<std::size_t>(op.index) < records.size()) {
        const auto& refusals = records[static_cast<std::size_t>(op.index)].refusals;
        for (std::size_t i = 0; i < refusals.size() && i < 3; ++i)
            title += tr("\n%1 times: %2").arg(groupedText(refusals[i].second), fromStd(refusals[i].first));
    }
    configsTitle_->setText(title);
    for (const ConfigRow& row : rows_) {
        QList<QStandardItem*> cells{item(shortLayoutText(row.layout)),
                                    item(groupedText(row.layout.grid.volume()), true),
                                    item(groupedText(row.layout.shardBytes()), true),
                                    item(groupedText(static_cast<qint64>(row.acc)), true), item(row.state)};
        cells.back()->setToolTip(row.state);
        const Token token = row.isChosen ? Token::Good : row.isGone ? Token::Text3 : Token::Text1;
        for (QStandardItem* cell : cells)
            cell->setForeground(themeOf(this).color(token));
        configs_->appendRow(cells);
    }
    configTable_->resizeColumnsToContents();
}

void ChainSide::force(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= rows_.size() || !view_->hub()->offersHints()) return;
    emit proposed(layoutProposal(*view_->chainData(), selectedOp(), rows_[static_cast<std::size_t>(row)].layout));
}

// ---- reservations ----

void ChainSide::fillReservations() {
    const ChainDataPtr& chains = view_->chainData();
    reserved_->clear();
    reserved_->setHorizontalHeaderLabels({tr("Result of"), tr("Bytes"), tr("From"), tr("To"), tr("For")});
    const OpId op = selectedOp();
    if (!chains) return;
    QString title = tr("All reservations of the plan");
    if (op.isValid()) {
        const ChainColumn& c = chains->columns()[static_cast<std::size_t>(op.index)];
        title = tr("Position %1, %2: needs %3 of %4 B of a core (own need %5, resident inputs %6, reserved %7)")
                    .arg(op.index)
                    .arg(view_->hub()->itemName(ItemId::of(op)), groupedText(c.sum()), groupedText(chains->limit()),
                         groupedText(c.own), groupedText(c.resident), groupedText(c.reserved));
    }
    const auto add = [&](const ttnn::Reservation& r) {
        reserved_->appendRow({item(view_->hub()->itemName(ItemId::of(r.source))), item(groupedText(r.bytes), true),
                              item(groupedText(r.positions.begin), true), item(groupedText(r.positions.end - 1), true),
                              item(fromStd(r.purpose))});
    };
    if (op.isValid())
        for (const ttnn::Reservation* r : chains->reservationsAt(op.index))
            add(*r);
    else
        for (const ttnn::Reservation& r : chains->record().record.reservations)
            add(r);
    if (reserved_->rowCount() == 0) title += tr("\nNothing is reserved here.");
    reservedTitle_->setText(title);
}

void ChainSide::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(this).color(Token::BgPanel));
    painter.fillRect(0, 0, 1, height(), themeOf(this).color(Token::Line1));
}

}  // namespace memplan::ui

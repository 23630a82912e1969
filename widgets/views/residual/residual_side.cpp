// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/residual_side.h"

#include "widgets/kit/controls/wrapped_label.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/views/residual/residual_tables.h"
#include "widgets/views/residual/residual_view.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::ui {

namespace {

constexpr int kWidth = 372, kMargin = 10;

QVBoxLayout* columnOf(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    setScaledMargins(column, {kMargin, kMargin, kMargin, kMargin}, 8);
    return column;
}

QTableView* makeTable(QAbstractItemModel* model, const QString& name, const char* objectName, int stretch) {
    auto* table = new QTableView;
    table->setModel(model);
    table->setObjectName(QString::fromLatin1(objectName));
    table->setAccessibleName(name);
    setUpTable(table, stretch);
    table->setSortingEnabled(false);  // rows are found by their number, and their figures are texts
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFrameShape(QFrame::NoFrame);
    return table;
}

QStandardItemModel* makeModel(QObject* parent, const QStringList& heads, std::initializer_list<int> numbers) {
    auto* model = new QStandardItemModel(0, static_cast<int>(heads.size()), parent);
    model->setHorizontalHeaderLabels(heads);
    for (const int column : numbers)
        model->setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    return model;
}

}  // namespace

ResidualSide::ResidualSide(ResidualView* view, QWidget* parent)
    : QWidget(parent), view_(view), tabs_(new QTabBar(this)), stack_(new QStackedWidget(this)),
      plateaus_(makeModel(this, {tr("#"), tr("Layers"), tr("Mean"), tr("Ops"), tr("Share"), tr("Largest owner")},
                          {0, 2, 3, 4})),
      layers_(new LayerTableModel(this)),
      owners_(makeModel(this, {tr("Node"), tr("Width"), tr("Columns"), tr("Annotation")}, {1})),
      readers_(makeModel(this, {tr("Read by"), tr("In layer"), tr("Held")}, {1})) {
    setObjectName(QStringLiteral("residualSide"));
    setScaledSize(this, kWidth, -1);
    for (const QString& name : {tr("Plateaus"), tr("Layers"), tr("Lifetime")})
        tabs_->addTab(name);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Beside the residual stream"));
    stack_->addWidget(buildPlateaus());
    stack_->addWidget(buildLayers());
    stack_->addWidget(buildNode());
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(1, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(tabs_);
    box->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, stack_, &QStackedWidget::setCurrentIndex);
    connect(view_, &ResidualView::shownChanged, this, &ResidualSide::refresh);
    connect(view_, &ResidualView::searchDone, this, &ResidualSide::refresh);
    connect(view_, &ResidualView::plateauChosen, this, [this] { showPage(Plateaus); });
    connect(view_, &ResidualView::layerChosen, this, [this] { showPage(Layers); });
    connect(view_->hub(), &SelectionHub::planChanged, this, [this] { k_->clearFocus(); });
}

QWidget* ResidualSide::buildPlateaus() {
    auto* page = new QWidget;
    QVBoxLayout* column = columnOf(page);
    plateauTable_ = makeTable(plateaus_, tr("Plateaus"), "plateauTable", 5);
    plateauTable_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    none_ = wrappedLabel({}, page);
    cardTitle_ = wrappedLabel({}, page, TextStyle::BodyStrong);
    cardText_ = wrappedLabel({}, page);
    auto* conditions = new QGridLayout;
    conditions->setColumnStretch(1, 1);
    for (int i = 0; i < 3; ++i) {
        conditions_.emplace_back(wrappedLabel({}, page, TextStyle::SmallStrong),
                                 wrappedLabel({}, page, TextStyle::Small));
        conditions->addWidget(conditions_.back().first, i, 0, Qt::AlignTop);
        conditions->addWidget(conditions_.back().second, i, 1);
    }
    add_ = new QPushButton(tr("Add concurrency hint"), page);
    add_->setObjectName(QStringLiteral("addConcurrency"));
    setPrimary(add_);
    kWord_ = new QLabel(tr("K"), page);
    k_ = new QSpinBox(page);
    k_->setObjectName(QStringLiteral("concurrencyK"));
    k_->setAccessibleName(tr("K, chains at a time"));
    k_->setRange(1, 1);
    sweep_ = new QPushButton(tr("Sweep K"), page);
    sweep_->setObjectName(QStringLiteral("sweepConcurrency"));
    sweep_->setToolTip(tr("Compiles with one K after another, draws the layers of each, and finds the best"));
    auto* offer = new QHBoxLayout;
    offer->addWidget(add_);
    offer->addWidget(kWord_);
    offer->addWidget(k_);
    offer->addWidget(sweep_);
    offer->addStretch(1);
    for (QWidget* part : {static_cast<QWidget*>(plateauTable_), static_cast<QWidget*>(none_),
                          static_cast<QWidget*>(cardTitle_), static_cast<QWidget*>(cardText_)})
        column->addWidget(part);
    column->addLayout(conditions);
    column->addLayout(offer);
    column->addStretch(1);
    connect(plateauTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (!isFilling_ && now.isValid()) view_->selectPlateau(now.row());
            });
    connect(add_, &QPushButton::clicked, this, [this] {
        const ResidualPlateau* plateau = shownPlateau();
        if (plateau != nullptr && plateau->isOffered())
            emit scopeProposed(scopeJson(*view_->residualData(), plateau->cluster, k_->value()));
    });
    connect(sweep_, &QPushButton::clicked, this, [this] {
        const ResidualPlateau* plateau = shownPlateau();
        if (plateau == nullptr || plateau->cluster < 0) return;
        const ResidualData& stream = *view_->residualData();
        emit sweepRequested(stream.graph().at(clusterOf(stream, plateau->cluster).join).number);
    });
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    return scroll;
}

QWidget* ResidualSide::buildLayers() {
    auto* page = new QWidget;
    QVBoxLayout* column = columnOf(page);
    auto* sorted = new SortFilterModel(this);
    sorted->setSourceModel(layers_);
    layerTable_ = makeTable(sorted, tr("Layers"), "layerTable", LayerTableModel::Bound);
    layerTable_->setSortingEnabled(true);
    layerTable_->sortByColumn(LayerTableModel::Layer, Qt::AscendingOrder);
    ownersTitle_ = wrappedLabel({}, page);
    ownerTable_ = makeTable(owners_, tr("Owners of the layer"), "ownerTable", 2);
    column->addWidget(layerTable_, 3);
    column->addWidget(ownersTitle_);
    column->addWidget(ownerTable_, 2);
    connect(layerTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, sorted](const QModelIndex& now) {
                if (!isFilling_ && now.isValid()) view_->selectLayer(sorted->mapToSource(now).row());
            });
    connect(ownerTable_, &QTableView::clicked, this, [this](const QModelIndex& at) {
        const QVariant node = at.siblingAtColumn(0).data(Qt::UserRole);
        if (node.isValid()) view_->hub()->select({ItemKind::Buffer, node.toInt()});
    });
    return page;
}

QWidget* ResidualSide::buildNode() {
    auto* page = new QWidget;
    QVBoxLayout* column = columnOf(page);
    nodeTitle_ = wrappedLabel({}, page, TextStyle::BodyStrong);
    nodeText_ = wrappedLabel({}, page);
    readerTable_ = makeTable(readers_, tr("Readers of the node"), "readerTable", 0);
    column->addWidget(nodeTitle_);
    column->addWidget(nodeText_);
    column->addWidget(readerTable_, 1);
    column->addStretch(0);
    connect(readerTable_, &QTableView::activated, this, [this](const QModelIndex& at) {
        const QVariant node = at.siblingAtColumn(0).data(Qt::UserRole);
        if (node.isValid()) view_->hub()->select({ItemKind::Buffer, node.toInt()});
    });
    return page;
}

const ResidualPlateau* ResidualSide::shownPlateau() const {
    const int at = view_->plateau();
    const bool isThere = at >= 0 && static_cast<std::size_t>(at) < view_->plateaus().size();
    return isThere ? &view_->plateaus()[static_cast<std::size_t>(at)] : nullptr;
}

void ResidualSide::showPage(Page page) {
    tabs_->setCurrentIndex(page);
}

/// Nobody sees it: it is filled when it is shown.
void ResidualSide::refresh() {
    isPending_ = !isVisible();
    if (isPending_) return;
    if (layers_->plan() != view_->plan()) {
        layers_->setData(view_->residualData());
        sizeColumns(layerTable_);
    }
    fillPlateaus();
    fillLayers();
    fillNode();
}

void ResidualSide::selectRow(QTableView* table, int row) {
    if (row >= 0)
        table->selectRow(row);
    else
        table->clearSelection();
}

void ResidualSide::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (isPending_) refresh();
}

void ResidualSide::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(this).color(Token::BgPanel));
    painter.fillRect(0, 0, 1, height(), themeOf(this).color(Token::Line1));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/core_pane.h"

#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/controls/bar_combo.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/edge_table.h"
#include "widgets/views/coregrid/ops_matrix.h"

#include <QAbstractProxyModel>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

CorePane::CorePane(SelectionHub* hub, QWidget* parent) : QWidget(parent), view_(new CoreGridView(hub)) {
    setObjectName(QStringLiteral("corePane"));
    pane_ = new ViewPane(view_, EdgeTableModel::Result, this);
    matrix_ = new OpsMatrix(hub, this);
    matrix_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeViewTitle(pane_, nullptr));
    column->addWidget(pane_, 1);
    pane_->setSidePanel(matrix_);
    buildBar();
    updateBar();
    setFocusProxy(pane_);
    connect(view_, &CoreGridView::shapeChanged, this, &CorePane::updateBar);
    connect(view_, &CoreGridView::pageChanged, this, &CorePane::showPage);
    connect(view_, &CoreGridView::shapeChanged, matrix_, [this] { matrix_->setMetric(view_->metric()); });
    connect(view_, &CoreGridView::modeChanged, this, [this] {
        const CorePage page = view_->page();
        view_->setPage(view_->mode() == CoreGridMode::Detail ? CorePage::Detail
                       : page == CorePage::Detail            ? CorePage::Split
                                                             : page);
    });
    connect(pane_, &ViewPane::tableToggled, this, [this](bool isTable) {
        if (isTable != (view_->page() == CorePage::Edges)) view_->setPage(isTable ? CorePage::Edges : CorePage::Split);
    });
}

void CorePane::buildBar() {
    metrics_ = new BarCombo(tr("Metric"), this);
    metrics_->setObjectName(QStringLiteral("coreMetric"));
    connect(metrics_, &QComboBox::activated, this, [this](int index) {
        const int metric = metrics_->itemData(index).toInt();
        if (metric < 0) return view_->setShowsBufferBytes(true);
        view_->setMetric(static_cast<CoreMetric>(metric));
    });
    pane_->bar()->addWidget(metrics_);
    const QStringList names{tr("Split"), tr("All ops"), tr("Core detail"), tr("Edges")};
    for (std::size_t i = 0; i < chips_.size(); ++i) {
        chips_[i] = new Chip(names[static_cast<int>(i)], this);
        chips_[i]->setCheckable(true);
        connect(chips_[i], &QAbstractButton::clicked, this, [this, i] { view_->setPage(static_cast<CorePage>(i)); });
        pane_->bar()->addWidget(chips_[i]);
    }
    auto* range = new Chip(tr("Auto range"), this);
    range->setObjectName(QStringLiteral("coreAutoRange"));
    range->setCheckable(true);
    connect(range, &QAbstractButton::toggled, view_, &CoreGridView::setAutoRange);
    connect(view_, &CoreGridView::autoRangeChanged, range, &QAbstractButton::setChecked);
    connect(view_, &CoreGridView::autoRangeChanged, matrix_, &OpsMatrix::setAutoRange);
    pane_->bar()->addWidget(range);
    planes_ = new BarCombo(tr("Dimensions of the split picture"), this);
    planes_->setObjectName(QStringLiteral("corePlane"));
    connect(planes_, &QComboBox::activated, this, [this](int index) {
        const QPoint plane = planes_->itemData(index).toPoint();
        view_->setPlane({plane.x(), plane.y()});
    });
    pane_->bar()->addWidget(planes_);
    readers_ = new BarCombo(tr("Reader of the buffer"), this);
    readers_->setObjectName(QStringLiteral("coreReader"));
    connect(readers_, &QComboBox::activated, this,
            [this](int index) { view_->setReader(view_->shownBuffer(), OpId{readers_->itemData(index).toInt()}); });
    pane_->bar()->addWidget(readers_);
    others_ = new QSpinBox(this);
    others_->setAccessibleName(tr("Slices of the other dimensions"));
    setScaledSize(others_, -1, 24);
    others_->setPrefix(tr("slice "));
    connect(others_, &QSpinBox::valueChanged, this, [this](int value) { view_->setOtherSlice(value - 1); });
    pane_->bar()->addWidget(others_);
}

/// Pairs of dimensions, offered only where there is a choice.
void CorePane::fillPlanes() {
    planes_->clear();
    const CoreGridState s = view_->state();
    if (!s.op.isValid() || s.pair) return;
    const auto& dims = s.shownOp().iterationSpace;
    for (std::size_t a = 0; a < dims.size(); ++a)
        for (std::size_t b = a + 1; b < dims.size(); ++b) {
            planes_->addItem(QStringLiteral("%1 \u00d7 %2").arg(fromStd(dims[a].name), fromStd(dims[b].name)),
                             QPoint(static_cast<int>(a), static_cast<int>(b)));
            if (s.plane.rows == static_cast<int>(a) && s.plane.columns == static_cast<int>(b))
                planes_->setCurrentIndex(planes_->count() - 1);
        }
}

/// "Reader: sum", offered only where several ops read the shown buffer.
void CorePane::fillReaders() {
    readers_->clear();
    const BufferId buffer = view_->shownBuffer();
    if (!buffer.isValid()) return;
    const Plan& plan = *view_->plan();
    const bool isWritten = plan.buffer(buffer).producer.isValid();
    for (const OpId reader : readersOf(plan, buffer))
        if (!isWritten || splitPairOf(plan, buffer, reader))
            readers_->addItem(tr("Reader: %1").arg(fromStd(plan.op(reader).name)), reader.index);
    readers_->setCurrentIndex(std::max(0, readers_->findData(view_->shownReader().index)));
}

/// A row of the edges is a writer and one reader: going back to the picture shows that reader.
void CorePane::followEdges() {
    if (followsEdges_ || !pane_->table()) return;
    followsEdges_ = true;
    connect(pane_->table()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (view_->page() != CorePage::Edges) return;  // the selection of another view brought the row here
                const auto* sorted = qobject_cast<const QAbstractProxyModel*>(current.model());
                if (!sorted) return;
                const auto& pairs = static_cast<const EdgeTableModel*>(sorted->sourceModel())->pairs();
                const auto row = static_cast<std::size_t>(sorted->mapToSource(current).row());
                if (row < pairs.size()) view_->setReader(pairs[row].buffer, pairs[row].reader);
            });
}

/// The table begins at the row of the pair that the picture shows.
void CorePane::markEdge() {
    if (view_->page() != CorePage::Edges || !pane_->table()) return;
    const auto* sorted = qobject_cast<const QAbstractProxyModel*>(pane_->table()->model());
    const auto* edges = static_cast<const EdgeTableModel*>(sorted->sourceModel());
    const auto& pairs = edges->pairs();
    const auto shown = std::ranges::find_if(pairs, [this](const SplitPair& p) {
        return p.buffer == view_->shownBuffer() && p.reader == view_->shownReader();
    });
    if (shown == pairs.end()) return;
    const QModelIndex row = sorted->mapFromSource(edges->index(static_cast<int>(shown - pairs.begin()), 0));
    pane_->table()->selectionModel()->setCurrentIndex(row, QItemSelectionModel::NoUpdate);
}

/// "bytes of e per core" leads the list while a buffer is shown.
void CorePane::fillMetrics() {
    const CoreGridState s = view_->state();
    metrics_->clear();
    if (s.pair && view_->page() == CorePage::Split)
        metrics_->addItem(tr("Metric: bytes of %1 per core").arg(fromStd(s.plan->buffer(s.pair->buffer).name)), -1);
    for (int i = 0; i < kCoreMetricCount; ++i)
        metrics_->addItem(tr("Metric: %1").arg(metricName(static_cast<CoreMetric>(i))), i);
    const int shown = view_->showsBufferBytes() ? -1 : static_cast<int>(view_->metric());
    metrics_->setCurrentIndex(std::max(0, metrics_->findData(shown)));
}

void CorePane::updateBar() {
    fillMetrics();
    for (std::size_t i = 0; i < chips_.size(); ++i)
        chips_[i]->setChecked(static_cast<std::size_t>(view_->page()) == i);
    fillPlanes();
    planes_->setVisible(view_->page() == CorePage::Split && planes_->count() > 1);
    fillReaders();
    readers_->setVisible(view_->page() == CorePage::Split && readers_->count() > 1);
    const CoreGridState s = view_->state();
    const std::int64_t others = s.op.isValid() && !s.pair ? otherCombinations(s.shownOp(), s.plane) : 1;
    others_->setVisible(view_->page() == CorePage::Split && others > 1);
    const QSignalBlocker quiet(others_);
    others_->setRange(1, static_cast<int>(others));
    others_->setValue(static_cast<int>(s.otherSlice) + 1);
    others_->setSuffix(tr(" of %1").arg(others));
}

void CorePane::showPage() {
    const CorePage page = view_->page();
    pane_->setTableVisible(page == CorePage::Edges);
    followEdges();
    markEdge();
    view_->setVisible(page != CorePage::AllOps);
    matrix_->setVisible(page == CorePage::AllOps);
    if (page == CorePage::Split || page == CorePage::Detail)
        view_->setMode(page == CorePage::Detail ? CoreGridMode::Detail : CoreGridMode::Split);
    updateBar();
}

}  // namespace memplan::ui

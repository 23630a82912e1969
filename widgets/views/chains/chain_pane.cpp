// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_pane.h"

#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/views/chains/chain_table.h"

#include <QVBoxLayout>

namespace memplan::ui {

namespace {
constexpr int kLeastPicture = 300;  ///< logical pixels beside the details
}

ChainPane::ChainPane(SelectionHub* hub, QWidget* parent) : QWidget(parent), view_(new ChainView(hub)) {
    setObjectName(QStringLiteral("chainPane"));
    pane_ = new ViewPane(view_, ChainTableModel::End, this);
    side_ = new ChainSide(view_, pane_);
    auto* rejected = new Chip(tr("Refused merges"), pane_);
    rejected->setCheckable(true);
    rejected->setChecked(view_->showsRejected());
    rejected->setToolTip(tr("Merges that did not fit, dashed, with what was needed (R)"));
    connect(rejected, &QAbstractButton::toggled, view_, &ChainView::setShowsRejected);
    connect(view_, &ChainView::rejectedChanged, rejected, &QAbstractButton::setChecked);
    auto* packed = new Chip(tr("Shared rows"), pane_);
    packed->setObjectName(QStringLiteral("chainRows"));
    packed->setCheckable(true);
    packed->setToolTip(tr("Chains that do not meet share a row; off: a row for every chain (L)"));
    connect(packed, &QAbstractButton::clicked, view_,
            [this](bool on) { view_->setRows(on ? ChainRows::Packed : ChainRows::PerChain); });
    connect(view_, &ChainView::rowsChanged, packed,
            [this, packed] { packed->setChecked(view_->rows() == ChainRows::Packed); });
    auto* details = new Chip(tr("Details"), pane_);
    details->setObjectName(QStringLiteral("chainDetails"));
    details->setCheckable(true);
    details->setChecked(true);
    details->setToolTip(tr("Chain, path matrix, layouts and reservations beside the picture"));
    pane_->bar()->addWidget(packed);
    pane_->bar()->addWidget(rejected);
    pane_->bar()->addWidget(details);
    pane_->setSidePanel(side_, details);
    pane_->letSideGiveWay(kLeastPicture);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pane_);
    setFocusProxy(pane_);
    const auto open = [details] { details->setChecked(true); };
    connect(view_, &ChainView::edgeChosen, details, open);
    connect(view_, &ChainView::laneChosen, details, open);
}

}  // namespace memplan::ui

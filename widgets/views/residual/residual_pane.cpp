// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/residual_pane.h"

#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/views/residual/residual_tables.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace memplan::ui {

namespace {
constexpr int kLeastPicture = 300;  ///< logical pixels beside the details
}

ResidualPane::ResidualPane(SelectionHub* hub, QWidget* parent) : QWidget(parent), view_(new ResidualView(hub)) {
    setObjectName(QStringLiteral("residualPane"));
    pane_ = new ViewPane(view_, OwnerTableModel::LastReader, this);
    side_ = new ResidualSide(view_, pane_);
    auto* colour = new QComboBox(pane_);
    colour->setObjectName(QStringLiteral("residualColour"));
    colour->setAccessibleName(tr("Colour of the map"));
    colour->setToolTip(tr("What the colours of the map mean (C)"));
    colour->addItems({tr("Colour by: annotation"), tr("Colour by: width of owner"), tr("Colour by: node")});
    pane_->bar()->addWidget(colour);
    Chip* map = addChip(tr("Map"), tr("Owners of the columns over the layers, with the layer strip"));
    Chip* stack = addChip(tr("Stack"), tr("Occupied columns by annotation below the map (T)"));
    Chip* path = addChip(tr("Critical path"), tr("Nodes of the longest paths on the layers that compute them (K)"));
    Chip* details = addChip(tr("Details"), tr("Plateaus, layers and lifetimes beside the picture"));
    details->setObjectName(QStringLiteral("residualDetails"));
    details->setChecked(true);
    pane_->setSidePanel(side_, details);
    pane_->letSideGiveWay(kLeastPicture);
    const auto show = [this, colour, map, stack, path] {
        const QSignalBlocker a(colour), b(map), c(stack), d(path);
        const ResidualViewState now = view_->state();
        colour->setCurrentIndex(static_cast<int>(now.colour));
        map->setChecked(now.showsMap);
        stack->setChecked(now.showsStack);
        path->setChecked(now.showsPath);
        for (QWidget* chip : {static_cast<QWidget*>(map), static_cast<QWidget*>(stack), static_cast<QWidget*>(path)})
            chip->update();
        pane_->refreshLegend();
    };
    const auto toggled = [this, map, stack, path] {
        view_->setShown(map->isChecked(), stack->isChecked(), path->isChecked());
    };
    for (const Chip* chip : {map, stack, path})
        connect(chip, &QAbstractButton::toggled, view_, toggled);
    connect(colour, &QComboBox::currentIndexChanged, view_,
            [this](int index) { view_->setColour(static_cast<ResidualColour>(index)); });
    connect(view_, &ResidualView::lookChanged, this, show);
    show();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pane_);
    setFocusProxy(pane_);
    const auto open = [details] { details->setChecked(true); };
    connect(view_, &ResidualView::plateauChosen, details, open);
    connect(view_, &ResidualView::layerChosen, details, open);
}

Chip* ResidualPane::addChip(const QString& text, const QString& help) {
    auto* chip = new Chip(text, pane_);
    chip->setCheckable(true);
    chip->setToolTip(help);
    pane_->bar()->addWidget(chip);
    return chip;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/picture_dress.h"

#include "widgets/canvas/graphic_view.h"

namespace memplan::ui {

namespace {

/// A plan that arrives now may bring new axes and another zoom: those the view keeps, and everybody hears of them.
GraphicView& settled(GraphicView& view) {
    view.settle();
    return view;
}

}  // namespace

// Nobody hears of a zoom that only a picture sees: linked views stay where they are.
DressedView::DressedView(GraphicView& view, const PictureDress& dress)
    : view_(settled(view)), wasQuiet_(view.blockSignals(true)), before_(view.viewport()) {
    view_.setDress(dress);
    if (dress.scope == PictureDress::Scope::All) view_.fitAll();
    if (dress.scope == PictureDress::Scope::Selection) view_.fitSelection();
}

DressedView::~DressedView() {
    view_.setViewport(before_, false);
    view_.setDress(std::nullopt);
    view_.blockSignals(wasQuiet_);
}

QString DressedSource::viewName() const {
    return view_.viewName();
}

QString DressedSource::scopeText() const {
    return view_.scopeText();
}

QSize DressedSource::pictureSize() const {
    return view_.pictureSize();
}

void DressedSource::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    const DressedView dressed(view_, dress_);
    view_.paintPicture(painter, size, theme);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/view_picture.h"

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
RenderOptionsScope::RenderOptionsScope(GraphicView& view, const RenderOptions& render)
    : view_(settled(view)), wasQuiet_(view.blockSignals(true)), before_(view.viewport()) {
    view_.setRenderOptions(render);
    if (render.scope == RenderOptions::Scope::All) view_.fitAll();
    if (render.scope == RenderOptions::Scope::Selection) view_.fitSelection();
}

RenderOptionsScope::~RenderOptionsScope() {
    view_.setViewport(before_, false);
    view_.setRenderOptions(std::nullopt);
    view_.blockSignals(wasQuiet_);
}

QString ViewPicture::viewName() const {
    return view_.viewName();
}

QString ViewPicture::scopeText() const {
    return view_.scopeText();
}

QSize ViewPicture::pictureSize() const {
    return view_.pictureSize();
}

void ViewPicture::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    const RenderOptionsScope rendering(view_, renderOptions_);
    view_.paintPicture(painter, size, theme);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A view under the render options of a picture, and as it was afterwards (user-experience 17.1).
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/canvas/state/axis.h"
#include "widgets/canvas/state/render_options.h"

namespace memplan::ui {

class GraphicView;

/// While it lives the view paints what `render` says; its zoom and the zoom's history are as before afterwards.
class RenderOptionsScope {
public:
    RenderOptionsScope(GraphicView& view, const RenderOptions& render);
    ~RenderOptionsScope();
    RenderOptionsScope(const RenderOptionsScope&) = delete;
    RenderOptionsScope& operator=(const RenderOptionsScope&) = delete;

private:
    GraphicView& view_;
    bool wasQuiet_;
    Viewport before_;
};

/// A view as a part of a larger picture, with render options while it is painted.
class ViewPicture final : public PictureSource {
public:
    /// The view must outlive it.
    ViewPicture(GraphicView& view, const RenderOptions& render) : view_(view), renderOptions_(render) {}
    [[nodiscard]] QString viewName() const override;
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QSize pictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

private:
    GraphicView& view_;
    RenderOptions renderOptions_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What of the state on screen goes into a picture (user-experience 17.1), and the view put on and taken off again.
#pragma once

#include "widgets/canvas/axis.h"
#include "widgets/canvas/picture_source.h"

namespace memplan::ui {

class GraphicView;

struct PictureDress {
    enum class Scope { Visible, Selection, All };
    Scope scope = Scope::Visible;  ///< Selection: zoomed to the selected item, All when nothing is selected
    bool timeCursor = true, selection = true, notes = true;
    bool allShapes = false;  ///< vectors keep every rectangle, however many there are (17.2)
    friend bool operator==(const PictureDress&, const PictureDress&) = default;
};

/// While it lives the view paints what `dress` says; its zoom and the zoom's history are as before afterwards.
class DressedView {
public:
    DressedView(GraphicView& view, const PictureDress& dress);
    ~DressedView();
    DressedView(const DressedView&) = delete;
    DressedView& operator=(const DressedView&) = delete;

private:
    GraphicView& view_;
    bool wasQuiet_;
    Viewport before_;
};

/// A view as a part of a larger picture, dressed while it is painted.
class DressedSource final : public PictureSource {
public:
    /// The view must outlive it.
    DressedSource(GraphicView& view, const PictureDress& dress) : view_(view), dress_(dress) {}
    [[nodiscard]] QString viewName() const override;
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QSize pictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

private:
    GraphicView& view_;
    PictureDress dress_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What an exporter needs to know of a view; the same painter draws screen and files.
#pragma once

#include "widgets/canvas/state/view_state.h"

#include <QSize>
#include <QString>

#include <cstddef>
#include <vector>

class QPainter;

namespace memplan::ui {

class Theme;

class PictureSource {
public:
    virtual ~PictureSource() = default;
    [[nodiscard]] virtual QString viewName() const = 0;   ///< "LX Gantt"
    [[nodiscard]] virtual QString scopeText() const = 0;  ///< "Plan 4: greedy, 1 core — core 0 of 1"
    [[nodiscard]] virtual QSize pictureSize() const = 0;  ///< size on screen, logical px
    [[nodiscard]] virtual std::vector<LegendEntry> legend() const { return {}; }
    /// Rectangles that a vector picture of this size embeds as an image, because they are so many; 0 = none (17.2).
    [[nodiscard]] virtual std::size_t denseShapes(QSize size) const {
        Q_UNUSED(size)
        return 0;
    }
    /// Draws the picture at (0, 0) in `size` logical px; must not depend on the widget's own size
    /// or theme.
    virtual void paintPicture(QPainter& painter, QSize size, const Theme& theme) const = 0;
};

}  // namespace memplan::ui

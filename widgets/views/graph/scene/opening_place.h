// SPDX-License-Identifier: GPL-3.0-or-later
// The first picture of a graph that is too large to be read as a whole (user-experience 5.3, 5.4).
#pragma once

#include "widgets/views/graph/scene/graph_scene.h"

#include <QPointF>
#include <QSizeF>

namespace memplan::ui {

/// A first picture shows the whole graph when that is at least this large.
inline constexpr double kReadableScale = 0.8;

struct OpeningPlace {
    double scale = 1;
    QPointF origin;        ///< scene point at the view's corner
    int cut = 0;           ///< boxes that the view's sides cut
    bool isWhole = false;  ///< the whole graph
};

/// From the first rank on, with the first box whole, about kReadableScale; the scale gives way between 70 %
/// and 100 % and the place moves sideways until the sides of the view cut no box. A view that is too narrow for
/// that goes down to 55 %; what cannot be whole then is cut as rarely as possible. Where
/// that shows fewer than half of the boxes, the whole graph if it fits at 50 %.
/// `margin` is kept free before the first rank. The scene has a box.
[[nodiscard]] OpeningPlace openingPlace(const GraphScene& scene, QSizeF view, double margin);

}  // namespace memplan::ui

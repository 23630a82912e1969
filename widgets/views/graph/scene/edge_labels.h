// SPDX-License-Identifier: GPL-3.0-or-later
// Places for the labels of edges (user-experience 5.1): beside their edge, clear of boxes, of frames and
// their names and of each other. A label without a free place is left out; the tooltip of its edge has it.
#pragma once

#include "widgets/views/graph/scene/graph_scene.h"

#include <QSizeF>
#include <QString>

#include <vector>

namespace memplan::ui {

struct EdgeLabel {
    int edge = -1;  ///< index into GraphScene::edges
    QString text;
    QSizeF size;          ///< of the plate, scene px
    bool isKept = false;  ///< shown although every place covers something
};

struct PlacedLabel {
    QString text;
    QRectF plate;
};

/// What labels keep clear of, in scene px.
struct LabelObstacles {
    std::vector<QRectF> boxes;  ///< nodes, names of frames, stubs
    std::vector<QRectF> lines;  ///< borders of frames
};

/// Boxes, borders of frames and stubs of what meets `visible`. `frameNames` are the plates of the frames' names.
[[nodiscard]] LabelObstacles labelObstacles(const GraphScene& scene, const QRectF& visible,
                                            const std::vector<QRectF>& frameNames);

/// In the order of `labels`, which is their order of precedence. Of the free places of a label inside `view` the one
/// is taken that crosses the fewest other edges, then the one nearest to the middle of its edge.
[[nodiscard]] std::vector<PlacedLabel> placeLabels(const GraphScene& scene, const std::vector<EdgeLabel>& labels,
                                                   const QRectF& view, LabelObstacles obstacles);

}  // namespace memplan::ui

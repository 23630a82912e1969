// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the view of L1 chains stand (user-experience 8): goals, positions, operations outside of chains,
// lanes, and the timeline of reservations below them on the same positions.
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/chains/data/chain_data.h"

#include <QRectF>

#include <optional>

namespace memplan::ui {

struct ChainViewState : ViewState {
    ChainDataPtr data;
    bool showsRejected = false;
    int edge = -1;  ///< of the record, selected
    int lane = -1;  ///< selected
};

struct ChainLayout {
    static constexpr double kLane = 56, kCell = 74;  ///< px at which everything can be read

    QRectF goals, axis, outside, lanes, timeline;  ///< all but the goals begin at the first position
    QRectF names;                                  ///< left of the lanes
    Axis x, y;                                     ///< positions; lanes

    [[nodiscard]] double xOf(double position) const { return lanes.left() + x.toPixel(position); }
    [[nodiscard]] double yOf(double lane) const { return lanes.top() + y.toPixel(lane); }
    [[nodiscard]] QRectF laneRect(int lane) const;
    [[nodiscard]] QRectF cellRect(int lane, OpId op) const;
    [[nodiscard]] QRectF outsideRect(OpId op) const;
    [[nodiscard]] QRectF badgeRect(int lane) const;  ///< of the state; where there is no room for words a square
    [[nodiscard]] QRectF edgeRect(int lane, const ChainEdge& edge) const;  ///< of the count; empty when too small
    [[nodiscard]] bool hasWords() const { return y.scale >= 44 && x.scale >= 52; }
    /// Bytes of the timeline to a height; `most` is what the whole height shows.
    [[nodiscard]] double byteY(Bytes bytes, Bytes most) const;
};

[[nodiscard]] ChainLayout chainLayout(const Viewport& viewport, QSizeF size);
/// Axes over all positions and lanes, at a scale that can be read, or smaller when everything fits into the picture so.
[[nodiscard]] Viewport readableViewport(const ChainData& data, QSizeF size);
[[nodiscard]] Viewport wholeViewport(const ChainData& data, QSizeF size);
/// What the whole height of the timeline shows.
[[nodiscard]] Bytes timelineTop(const ChainViewState& state);

struct ChainHit {
    enum class Part { None, Cell, Edge, Badge, Lane, Column };
    Part part = Part::None;
    OpId op;
    int lane = -1;
    const ChainEdge* edge = nullptr;
};
[[nodiscard]] ChainHit chainHit(const ChainViewState& state, const ChainLayout& layout, QPointF at);

}  // namespace memplan::ui

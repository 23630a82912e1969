// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the view of L1 chains stand (user-experience 8): goals, positions, operations outside of chains,
// lanes, and the timeline of reservations below them on the same positions.
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/chains/data/chain_data.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace memplan::ui {

/// A row for every chain, or one for all chains that do not meet: many chains make a thin diagonal otherwise.
enum class ChainRows { PerChain, Packed };

struct ChainViewState : ViewState {
    ChainDataPtr data;
    ChainDataPtr other;   ///< of the plan that this one is compared with; may be null
    ChainDataPtr beside;  ///< of a plan that is on screen too: bytes of both are drawn at one scale; may be null
    ChainRows rows = ChainRows::PerChain;
    bool showsRejected = false;
    int edge = -1;  ///< of the record, selected
    int lane = -1;  ///< selected
};

struct ChainLayout {
    static constexpr double kLane = 68, kPackedRow = 86;  ///< px at which everything can be read
    static constexpr double kGrowth = 24;                 ///< px that a row may gain where there is room

    QRectF goals, axis, outside, lanes;  ///< all but the goals begin at the first position
    QRectF timeline;                     ///< as goals and outside: empty where a row of chains needs the room
    QRectF names;                        ///< left of the lanes
    Axis x, y;                           ///< positions; rows
    const ChainData* data = nullptr;
    ChainRows rows = ChainRows::PerChain;

    [[nodiscard]] bool isPacked() const { return rows == ChainRows::Packed; }
    [[nodiscard]] double xOf(double position) const { return lanes.left() + x.toPixel(position); }
    [[nodiscard]] double yOf(double row) const { return lanes.top() + y.toPixel(row); }
    [[nodiscard]] int rowOf(int lane) const;
    /// All that belongs to a chain: its row, where rows are shared from its first cell to the words of its end.
    [[nodiscard]] QRectF laneRect(int lane) const;
    [[nodiscard]] QRectF cellRect(int lane, OpId op) const;
    /// Of a cell that has words.
    [[nodiscard]] double cellHeight() const;
    [[nodiscard]] QRectF outsideRect(OpId op) const;
    [[nodiscard]] QRectF badgeRect(int lane) const;  ///< of the state; where there is no room for words a square
    [[nodiscard]] QRectF edgeRect(int lane, const ChainEdge& edge) const;  ///< of the count; empty when too small
    /// Room for the words of the end: behind the last cell, or before the first one where that is wider.
    [[nodiscard]] QRectF endRoom(int lane) const;
    /// Height at which links leave the row of a lane; cells and words are above it.
    [[nodiscard]] double channelY(int lane) const;
    [[nodiscard]] bool hasWords() const;
    /// Bytes of the timeline to a height; `most` is what the whole height shows.
    [[nodiscard]] double byteY(Bytes bytes, Bytes most) const;
};

/// How the chains of this plan stand unless somebody chose.
[[nodiscard]] ChainRows usualRows(const ChainData& data);
[[nodiscard]] ChainLayout chainLayout(const ChainViewState& state, QSizeF size);
/// Axes over all positions and rows, at a scale that can be read, or smaller when everything fits into the picture so.
/// At the start of the schedule, or at the first chain where that is not in sight then.
[[nodiscard]] Viewport readableViewport(const ChainData& data, ChainRows rows, QSizeF size);
[[nodiscard]] Viewport wholeViewport(const ChainData& data, ChainRows rows, QSizeF size);
/// Positions in sight that have a number, at least 60 px apart; the last of all is among them where it is in sight.
[[nodiscard]] std::vector<int> positionTicks(const ChainLayout& layout);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the Gantt: where its parts are, and step/address <-> pixel (user-experience 7, A.1;
// design-system 11.2). Pure; shared by the painter, the raster worker and the mouse.
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/gantt/data/address_fold.h"
#include "widgets/views/gantt/data/gantt_data.h"
#include "widgets/views/gantt/data/gantt_drag.h"

#include <QRectF>
#include <QString>

namespace memplan::ui {

struct GanttOverlay;

enum class GanttColour { Residency, OpKind, Annotation, SizeClass, Lifetime, LastUser, Hint };

struct GanttState : ViewState {
    bool offChipLane = true;
    bool addressDown = false;
    GanttColour colour = GanttColour::Residency;
    int sizeBucket = -1;    ///< power of two of the size histogram that is filtered, -1 = none
    AddressFold fold = {};  ///< empty addresses drawn short
    QString reason = {};    ///< family of reasons that the off-chip lane is filtered by, empty = none (7.5)
    bool legendInside = false;
    std::optional<GanttDrag> drag = {};                ///< hint that is being proposed (7.8)
    std::shared_ptr<const GanttOverlay> overlay = {};  ///< another plan over this one (13.1, 16.3)
    std::vector<BufferId> hinted = {};                 ///< ascending: these carry the sign of a hint (5.11)
    std::vector<BufferId> pinned = {};                 ///< those of them whose hint is a pin or an address
};

struct GanttLayout {
    QRectF strip;  ///< live bytes
    QRectF loops;  ///< loop bands, between strip and plot, outer loops above
    int loopRows = 1;
    QRectF hist;  ///< address histogram
    QRectF plot;
    QRectF lane;  ///< off-chip lane, empty when switched off
    int laneRows = 0;
    Axis x, y;  ///< pixels counted from plot.left() and from address 0's edge; y in units of the fold
    AddressFold fold;
    bool down = false;

    /// Of the plot what is on the side of address 0 of the line of a limit and its words; all of it where that is low.
    [[nodiscard]] QRectF roomBelow(Bytes limit) const;
    /// The row of the band for a loop inside this many others; the last row has all that are deeper.
    [[nodiscard]] QRectF loopRow(int level) const;
    [[nodiscard]] double xOf(double step) const { return plot.left() + x.toPixel(step); }
    [[nodiscard]] double yOf(double address) const {
        const double px = y.toPixel(fold.toScale(address));
        return down ? plot.top() + px : plot.bottom() - px;
    }
    [[nodiscard]] double stepAt(double px) const { return x.toValue(px - plot.left()); }
    [[nodiscard]] double addressAt(double py) const {
        return fold.toAddress(y.toValue(down ? py - plot.top() : plot.bottom() - py));
    }
    [[nodiscard]] QRectF rectOf(double step0, double step1, double address, double size) const;
    [[nodiscard]] QRectF itemRect(const GanttItem& item) const;
    [[nodiscard]] QRectF laneRect(const OffChipItem& item) const;
    [[nodiscard]] double stripY(const GanttData& data, Bytes bytes) const;
};

/// Rows of the off-chip lane that fit a height; 0 when there is nothing off chip.
[[nodiscard]] int laneRowsFor(const GanttData& data, double height);
/// Row of an off-chip item in the lane: few items get a row each, then the packed row.
[[nodiscard]] int laneRowOf(const GanttData& data, std::size_t index, int rows);
/// Whether it has no row of its own among so many: such items share the last one, under those that have (7.4).
[[nodiscard]] bool isBelowLane(const GanttData& data, std::size_t index, int rows);
/// Layout in a picture of this size; the visible range of the state's viewport is kept.
[[nodiscard]] GanttLayout ganttLayout(const GanttData& data, const GanttState& state, QSizeF size);
/// Viewport that shows everything in a picture of this size.
[[nodiscard]] Viewport ganttFit(const GanttData& data, const GanttState& state, QSizeF size);

/// The axis of addresses after another fold; `whole` shows everything. Below both folds a byte is one unit: what is
/// zoomed in there stays as it is. Elsewhere the scale was another.
[[nodiscard]] Axis refolded(const Axis& y, const AddressFold& before, const AddressFold& after, const Axis& whole);

inline constexpr double kNoteFlagHeight = 14, kNoteFlagRoom = 18;  ///< px
/// The flag of a note on these steps: it stands on the time axis where they begin. Empty when out of sight.
[[nodiscard]] QRectF noteFlagRect(const GanttLayout& layout, StepRange steps);

/// How a rectangle is painted: a point or a solid block where it is tiny, with an outline from 4 px on each side, with
/// its pattern from 8 px (2.9, A.3).
enum class Detail { Dot, Block, Outlined, Full };
[[nodiscard]] Detail detailOf(double width, double height);

/// Label of a rectangle: what fits the visible part (7.7).
enum class LabelFit { None, Name, NameAndSize, TwoLines };
[[nodiscard]] LabelFit labelFit(QSizeF visible, double nameWidth, double sizeWidth);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/geometry/gantt_layout.h"

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr double kGutter = 62, kHistogram = 34, kGap = 6, kRight = 12;
constexpr double kPadTop = 4, kStripTop = 12, kStripBottom = 58, kPlotTop = 74;
constexpr double kLowView = 280, kLowStripBottom = 34, kLowPlotTop = 50;  ///< in low views the strip gives way
constexpr double kLeastView = 150, kLeastPlotTop = 16;                    ///< below there is none
constexpr double kAxis = 38, kAxisWithGroups = 42, kLanePad = 18, kLaneRow = 17, kLaneBar = 13;
constexpr double kLaneShare = 0.3, kLeastPlot = 48;
constexpr std::size_t kOwnRows = 3;  ///< so few refused buffers get a row each
constexpr double kLoopRow = 17;      ///< a line of words, clear of the lines around it
constexpr int kMostLoopRows = 4;
constexpr double kStick = 128, kStepMax = 64;

/// A whole stays a whole to the last digit: views of any size make the same picture of it.
Axis stretched(Axis axis, double length) {
    if (axis.isFitted()) return axis.resized(length);
    axis.scale *= length / axis.length;
    axis.length = length;
    return axis;
}

Axis contentAxis(double end, double length, double maxScale) {
    Axis axis;
    axis.contentEnd = end;
    axis.length = std::max(1.0, length);
    axis.maxScale = maxScale;
    return axis.fitted();
}

}  // namespace

int laneRowsFor(const GanttData& data, double height) {
    if (data.offChip.empty()) return 0;
    int rows = 0;
    for (const OffChipItem& item : data.offChip)
        rows = std::max(rows, item.row + 1);
    if (data.offChip.size() <= kOwnRows) rows = static_cast<int>(data.offChip.size());
    const int fitting = static_cast<int>((height * kLaneShare - kLanePad) / kLaneRow);
    return std::clamp(rows, 1, std::max(1, fitting));
}

namespace {
int loopRowsFor(const GanttData& data) {
    int rows = 1;
    for (const StepRun& run : data.loops)
        rows = std::max(rows, run.level + 1);
    return std::min(rows, kMostLoopRows);
}

int packedRow(const GanttData& data, std::size_t index) {
    return data.offChip.size() <= kOwnRows ? static_cast<int>(index) : data.offChip[index].row;
}
}  // namespace

int laneRowOf(const GanttData& data, std::size_t index, int rows) {
    return std::min(packedRow(data, index), rows - 1);
}

bool isBelowLane(const GanttData& data, std::size_t index, int rows) {
    return packedRow(data, index) >= rows;
}

GanttLayout ganttLayout(const GanttData& data, const GanttState& state, QSizeF size) {
    GanttLayout l;
    l.down = state.addressDown;
    l.fold = state.fold;
    l.laneRows = state.offChipLane ? laneRowsFor(data, size.height()) : 0;
    const double axis = data.groups.empty() ? kAxis : kAxisWithGroups;
    const bool isLow = size.height() < kLowView;
    if (isLow) l.laneRows = std::min(l.laneRows, 1);
    double lane = l.laneRows > 0 ? kLanePad + kLaneRow * l.laneRows : 0;
    const bool hasStrip = size.height() >= kLeastView;
    l.loopRows = isLow ? 1 : loopRowsFor(data);
    const double topOfPlot = kPadTop + (!hasStrip ? kLeastPlotTop : isLow ? kLowPlotTop : kPlotTop);
    const double plotTop = data.loops.empty() || isLow ? topOfPlot : kStripBottom + 3 + kLoopRow * l.loopRows + kPadTop;
    // In a low view the plot comes first; the lane would lie over the strip.
    if (size.height() - plotTop - axis - lane < kLeastPlot) lane = l.laneRows = 0;
    const double left = kGutter + kHistogram + kGap;
    const double width = std::max(20.0, size.width() - left - kRight);
    const double bottom = std::max(plotTop + 20.0, size.height() - lane - axis);
    const double stripBottom = isLow ? kLowStripBottom : kStripBottom;
    l.strip =
        hasStrip ? QRectF(left, kPadTop + kStripTop, width, stripBottom - kStripTop) : QRectF(left, kPadTop, width, 0);
    l.loops = QRectF(left, l.strip.bottom() + 1, width, plotTop - l.strip.bottom() - 2);
    l.plot = QRectF(left, plotTop, width, bottom - plotTop);
    l.hist = QRectF(kGutter + 2, l.plot.top(), kHistogram - 4, l.plot.height());
    l.lane = lane > 0 ? QRectF(left, size.height() - lane + 4, width, lane - 4) : QRectF();
    l.x = stretched(state.viewport.x, l.plot.width());
    l.y = stretched(state.viewport.y, l.plot.height());
    return l;
}

Viewport ganttFit(const GanttData& data, const GanttState& state, QSizeF size) {
    GanttState fresh = state;
    fresh.viewport = {};
    const GanttLayout l = ganttLayout(data, fresh, size);
    return {contentAxis(std::max(1, data.steps), l.plot.width(), kStepMax),
            contentAxis(l.fold.toScale(static_cast<double>(std::max<Bytes>(1, data.physical))), l.plot.height(),
                        kStepMax / kStick)};
}

QRectF GanttLayout::rectOf(double step0, double step1, double address, double size) const {
    const double x0 = xOf(step0), x1 = xOf(step1), ya = yOf(address), yb = yOf(address + size);
    return QRectF(QPointF(x0, std::min(ya, yb)), QPointF(x1, std::max(ya, yb)));
}

QRectF GanttLayout::roomBelow(Bytes limit) const {
    constexpr double kWords = 18, kLeast = 36;
    const double line = std::clamp(yOf(static_cast<double>(limit)), plot.top(), plot.bottom());
    QRectF room = plot;
    down ? room.setBottom(line - kWords) : room.setTop(line + kWords);
    return room.height() < kLeast ? plot : room;
}

QRectF GanttLayout::loopRow(int level) const {
    const double height = loops.height() / loopRows;
    return QRectF(loops.left(), loops.top() + std::min(level, loopRows - 1) * height, loops.width(), height);
}

QRectF GanttLayout::itemRect(const GanttItem& item) const {
    return rectOf(item.start, item.drawEnd, static_cast<double>(item.address), static_cast<double>(item.size));
}

QRectF GanttLayout::laneRect(const OffChipItem& item) const {
    const double top = lane.top() + std::min(item.row, laneRows - 1) * kLaneRow;
    return QRectF(xOf(item.life.begin), top, x.scale * (item.life.end - item.life.begin), kLaneBar);
}

double GanttLayout::stripY(const GanttData& data, Bytes bytes) const {
    const double share =
        fold.toScale(static_cast<double>(bytes)) / fold.toScale(static_cast<double>(std::max<Bytes>(1, data.physical)));
    return strip.bottom() - std::clamp(share, 0.0, 1.0) * strip.height();
}

QRectF noteFlagRect(const GanttLayout& layout, StepRange steps) {
    const double left = std::max(layout.xOf(steps.begin), layout.plot.left());
    const double right = std::min(layout.xOf(steps.end), layout.plot.right());
    if (right <= left) return {};
    return {left, layout.plot.bottom() - kNoteFlagHeight - 2, kNoteFlagRoom - 2, kNoteFlagHeight + 2};
}

Detail detailOf(double width, double height) {
    constexpr double kLeast = 2, kOutline = 4, kPattern = 8;
    const double side = std::min(width, height);
    if (side < kLeast) return Detail::Dot;
    if (side < kOutline) return Detail::Block;
    return side < kPattern ? Detail::Outlined : Detail::Full;
}

LabelFit labelFit(QSizeF visible, double nameWidth, double sizeWidth) {
    constexpr double kPlate = 10;
    const double w = visible.width(), h = visible.height();
    if (w < 24 || h < 12 || nameWidth + kPlate > w) return LabelFit::None;
    if (h >= 46 && w >= 70 && sizeWidth + kPlate <= w) return LabelFit::TwoLines;
    if (w >= 40 && nameWidth + sizeWidth + kPlate + 6 <= w) return LabelFit::NameAndSize;
    return LabelFit::Name;
}

Axis refolded(const Axis& y, const AddressFold& before, const AddressFold& after, const Axis& whole) {
    constexpr double kEverywhere = std::numeric_limits<double>::infinity();
    const auto plainEnd = [](const AddressFold& f) { return f.isFolded() ? f.begin : kEverywhere; };
    if (y.isFitted() || y.visibleEnd() > std::min(plainEnd(before), plainEnd(after))) return whole;
    Axis kept = y;
    kept.contentEnd = whole.contentEnd;
    return kept.panned(0);  // where there is less to show, no further outside of it
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/geometry/gantt_hit.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kTolerance = 2;

struct CellRange {
    int x0, x1, y0, y1;
};

CellRange cellsOf(const GanttData& d, double s0, double s1, double a0, double a1) {
    const double steps = std::max(1, d.steps), bytes = static_cast<double>(std::max<Bytes>(1, d.physical));
    const auto column = [&](double s) { return std::clamp(static_cast<int>(std::floor(s / steps * 256)), 0, 255); };
    const auto row = [&](double a) { return std::clamp(static_cast<int>(std::floor(a / bytes * 64)), 0, 63); };
    return {column(s0), column(std::max(s0, s1 - 1e-9)), row(a0), row(std::max(a0, a1 - 1e-9))};
}

CellRange cellsOf(const GanttData& d, const GanttItem& item) {
    return cellsOf(d, item.start, item.drawEnd, static_cast<double>(item.address),
                   static_cast<double>(item.address + item.size));
}

template <class Visit> void forCells(const CellRange& c, Visit visit) {
    for (int x = c.x0; x <= c.x1; ++x)
        for (int y = c.y0; y <= c.y1; ++y)
            visit(static_cast<std::size_t>(x * 64 + y));
}

}  // namespace

const GanttItem& GanttHitGrid::item(std::uint32_t painted) const {
    const std::size_t longCount = data_->longItems.size();
    return painted < longCount ? data_->longItems[painted] : data_->items[painted - longCount];
}

GanttHitGrid::GanttHitGrid(GanttDataPtr data) : data_(std::move(data)) {
    const auto count = static_cast<std::uint32_t>(data_->placedCount());
    first_.assign(static_cast<std::size_t>(kColumns * kRows) + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i)
        forCells(cellsOf(*data_, item(i)), [&](std::size_t c) { ++first_[c + 1]; });
    for (std::size_t c = 1; c < first_.size(); ++c)
        first_[c] += first_[c - 1];
    entries_.resize(first_.back());
    std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i)
        forCells(cellsOf(*data_, item(i)), [&](std::size_t c) { entries_[fill[c]++] = i; });
}

template <class Visit> void GanttHitGrid::visitNear(const GanttLayout& layout, QPointF point, Visit visit) const {
    if (!layout.plot.contains(point)) return;
    const double s0 = layout.stepAt(point.x() - kTolerance), s1 = layout.stepAt(point.x() + kTolerance);
    const double a = layout.addressAt(point.y() - kTolerance), b = layout.addressAt(point.y() + kTolerance);
    forCells(cellsOf(*data_, s0, s1, std::min(a, b), std::max(a, b)), [&](std::size_t c) {
        for (std::uint32_t e = first_[c]; e < first_[c + 1]; ++e)
            visit(entries_[e]);
    });
}

std::optional<BufferId> GanttHitGrid::at(const GanttLayout& layout, QPointF point) const {
    std::int64_t exact = -1, near = -1;
    visitNear(layout, point, [&](std::uint32_t i) {
        const QRectF r = layout.itemRect(item(i));
        if (r.contains(point)) exact = std::max<std::int64_t>(exact, i);
        if (r.adjusted(-kTolerance, -kTolerance, kTolerance, kTolerance).contains(point))
            near = std::max<std::int64_t>(near, i);
    });
    const std::int64_t found = exact >= 0 ? exact : near;
    return found < 0 ? std::nullopt : std::optional(item(static_cast<std::uint32_t>(found)).buffer);
}

int GanttHitGrid::countAt(const GanttLayout& layout, QPointF point) const {
    std::vector<std::uint32_t> found;
    const QRectF spot(std::floor(point.x()) - 1, std::floor(point.y()) - 1, 3, 3);
    visitNear(layout, point, [&](std::uint32_t i) {
        const QRectF r = layout.itemRect(item(i));
        if (detailOf(r.width(), r.height()) != Detail::Dot) return;
        if (r.left() < spot.right() && r.right() > spot.left() && r.top() < spot.bottom() && r.bottom() > spot.top())
            found.push_back(i);
    });
    std::ranges::sort(found);
    return static_cast<int>(std::unique(found.begin(), found.end()) - found.begin());
}

std::optional<BufferId> GanttHitGrid::laneAt(const GanttLayout& layout, QPointF point) const {
    if (layout.lane.isEmpty() || !layout.lane.adjusted(-2, -2, 2, 2).contains(point)) return std::nullopt;
    std::optional<BufferId> below;  // what has a row of its own lies on top
    for (std::size_t i = 0; i < data_->offChip.size(); ++i) {
        OffChipItem shown = data_->offChip[i];
        shown.row = laneRowOf(*data_, i, layout.laneRows);
        if (!layout.laneRect(shown).adjusted(-kTolerance, -kTolerance, kTolerance, kTolerance).contains(point))
            continue;
        if (!isBelowLane(*data_, i, layout.laneRows)) return shown.buffer;
        if (!below) below = shown.buffer;
    }
    return below;
}

}  // namespace memplan::ui

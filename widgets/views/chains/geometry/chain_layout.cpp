// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/geometry/chain_layout.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kNames = 158, kPackedNames = 78, kGoals = 40, kGoalsCompared = 56, kAxis = 20, kOutside = 26,
                 kOutsideAlone = 56, kGap = 4;
constexpr double kTimelineShare = 0.34, kTimelineMost = 210, kTimelineLeast = 90, kTimelineHead = 26, kFoot = 20;
constexpr double kCell = 40, kHead = 19, kPill = 13;  // of a row with words
constexpr double kCellShare = 0.54;                   // of what a row gains; the rest is for its links
constexpr double kLeastEnd = 64;                      // px that the words of an end need
constexpr std::size_t kMostLanes = 8;

double rowHeight(ChainRows rows) {
    return rows == ChainRows::Packed ? ChainLayout::kPackedRow : ChainLayout::kLane;
}

double usefulHeight(ChainRows rows) {
    return rowHeight(rows) + ChainLayout::kGrowth;
}

double rowCount(const ChainData& data, ChainRows rows) {
    const auto count = rows == ChainRows::Packed ? data.packedRows() : static_cast<int>(data.lanes().size());
    return std::max(1, count);
}

/// With its head; 0 where it would leave no row of chains that can be read. Rows take their share first, up to the
/// height that is of use to them; what they leave is the timeline's.
double timelineHeight(double room, double whole, const ChainData* data, ChainRows rows) {
    if (data != nullptr && data->lanes().empty()) return std::max(40.0, room - 4);
    if (room < rowHeight(rows) + kTimelineLeast) return 0;
    const double wanted = data == nullptr ? 0 : rowCount(*data, rows) * usefulHeight(rows);
    const double usual = std::clamp(whole * kTimelineShare, kTimelineLeast, kTimelineMost);
    return std::min(std::max(usual, room - wanted), room - rowHeight(rows));
}

/// Large text and low windows leave little room: the timeline gives way first, then the goals, then what is in no
/// chain.
ChainLayout roomFor(const ChainData* data, ChainRows rows, QSizeF size, bool isCompared = false) {
    ChainLayout l;
    l.data = data;
    l.rows = rows;
    const bool hasLanes = data == nullptr || !data->lanes().empty();
    const double names = rows == ChainRows::Packed || !hasLanes ? kPackedNames : kNames;
    const double left = std::min(names, size.width() * 0.3), width = std::max(10.0, size.width() - left - 8);
    const double goals = isCompared ? kGoalsCompared : kGoals, row = hasLanes ? rowHeight(rows) : kOutsideAlone;
    const bool hasGoals = size.height() >= goals + kAxis + kOutside + 2 + row;
    const bool hasOutside = !hasLanes || size.height() >= kAxis + kOutside + 2 + row;
    l.goals = {0, 0, size.width(), hasGoals ? goals : 0};
    l.axis = {left, l.goals.bottom(), width, kAxis};
    l.outside = {left, l.axis.bottom(), width, !hasLanes ? kOutsideAlone : hasOutside ? kOutside : 0};
    const double top = l.outside.bottom() + 2;
    const double timeline = timelineHeight(size.height() - kFoot - top, size.height(), data, rows);
    const double head = timeline > 0 ? size.height() - kFoot - timeline : size.height();
    l.lanes = {left, top, width, std::max(hasLanes ? 10.0 : 1.0, head - top)};
    l.names = {0, top, left, l.lanes.height()};
    if (timeline > 0) l.timeline = {left, head + kTimelineHead, width, std::max(10.0, timeline - kTimelineHead)};
    return l;
}

Viewport axesOf(const ChainData& data, const ChainLayout& room) {
    const double positions = std::max(1.0, static_cast<double>(data.positions()));
    Viewport v;
    v.x = {0, 1, 0, positions + data.overhang(), room.lanes.width(), data.cellWidth() * 2};
    v.y = {0, 1, 0, rowCount(data, room.rows), room.lanes.height(), usefulHeight(room.rows)};
    return v;
}

Axis readable(const Axis& axis, double scale) {
    Axis next = axis.fitted();
    next.scale = axis.fitScale() >= scale ? std::min(axis.fitScale(), axis.maxScale) : scale;
    return next;
}

}  // namespace

bool ChainLayout::hasWords() const {
    return y.scale >= (isPacked() ? 70 : 52) && x.scale >= 60;
}

int ChainLayout::rowOf(int lane) const {
    return isPacked() ? data->lanes()[static_cast<std::size_t>(lane)].row : lane;
}

QRectF ChainLayout::laneRect(int lane) const {
    const double top = yOf(rowOf(lane));
    if (!isPacked()) return {lanes.left(), top, lanes.width(), y.scale};
    const ChainLane& row = data->lanes()[static_cast<std::size_t>(lane)];
    const double begin = xOf(row.first()), end = xOf(row.last() + 1 + row.tail);
    return {begin, top, end - begin, y.scale};
}

QRectF ChainLayout::cellRect(int lane, OpId op) const {
    const double gap = std::min(kGap, x.scale * 0.12), top = yOf(rowOf(lane));
    const double left = xOf(op.index) + gap / 2, width = std::max(1.0, x.scale - gap);
    if (hasWords()) return {left, top + (isPacked() ? kHead : 5), width, cellHeight()};
    const double inset = std::min(5.0, y.scale * 0.12);
    return {left, top + inset, width, std::clamp(y.scale - 2 * inset, 2.0, cellHeight())};
}

double ChainLayout::cellHeight() const {
    return kCell + std::max(0.0, y.scale - rowHeight(rows)) * kCellShare;
}

QRectF ChainLayout::outsideRect(OpId op) const {
    const double gap = std::min(kGap, x.scale * 0.12);
    return {xOf(op.index) + gap / 2, outside.top() + 3, std::max(1.0, x.scale - gap), outside.height() - 6};
}

QRectF ChainLayout::badgeRect(int lane) const {
    const QRectF row = laneRect(lane);
    if (isPacked()) {
        if (!hasWords()) return {};
        const QRectF first = cellRect(lane, data->lanes()[static_cast<std::size_t>(lane)].cells.front().op);
        return {first.left() + 34, first.top() - 17, 86, 15};
    }
    if (y.scale < 20) return {names.right() - 14, row.top() + 1, 10, std::max(1.0, row.height() - 2)};
    return {names.left() + 40, row.top() + std::min(6.0, (row.height() - 18) / 2), 104, 18};
}

QRectF ChainLayout::edgeRect(int lane, const ChainEdge& edge) const {
    if (!hasWords() || !edge.producer.isValid()) return {};
    const QRectF a = cellRect(lane, edge.producer), b = cellRect(lane, edge.consumer);
    return {(a.right() + b.left()) / 2 - 21, a.bottom() - 2, 42, 14};
}

QRectF ChainLayout::endRoom(int lane) const {
    const ChainLane& row = data->lanes()[static_cast<std::size_t>(lane)];
    const QRectF first = cellRect(lane, row.cells.front().op), last = cellRect(lane, row.cells.back().op);
    double end = lanes.right();
    if (isPacked() && row.next >= 0)
        end = std::min(end, xOf(data->lanes()[static_cast<std::size_t>(row.next)].first()) - kGap);
    const QRectF after(last.right() + 4, last.top(), std::max(0.0, end - last.right() - 4), last.height());
    const QRectF before(lanes.left() + 2, first.top(), std::max(0.0, first.left() - lanes.left() - 8), first.height());
    return isPacked() || after.width() >= kLeastEnd * 2 || before.width() <= after.width() ? after : before;
}

double ChainLayout::channelY(int lane) const {
    if (!hasWords()) return yOf(rowOf(lane)) + y.scale - std::min(4.0, y.scale * 0.1);
    return yOf(rowOf(lane)) + (isPacked() ? kHead : 5) + cellHeight() + kPill + 3;
}

double ChainLayout::byteY(Bytes bytes, Bytes most) const {
    const double room = timeline.height();
    return timeline.bottom() - room * static_cast<double>(bytes) / static_cast<double>(std::max<Bytes>(1, most));
}

ChainRows usualRows(const ChainData& data) {
    return data.lanes().size() > kMostLanes ? ChainRows::Packed : ChainRows::PerChain;
}

ChainLayout chainLayout(const ChainViewState& state, QSizeF size) {
    ChainLayout l = roomFor(state.data.get(), state.rows, size, state.beside != nullptr);
    l.x = state.viewport.x;
    l.y = state.viewport.y;
    return l;
}

Viewport wholeViewport(const ChainData& data, ChainRows rows, QSizeF size) {
    Viewport v = axesOf(data, roomFor(&data, rows, size));
    v.x.scale = std::min(v.x.fitScale(), v.x.maxScale);
    v.y.scale = std::min(v.y.fitScale(), v.y.maxScale);
    return v;
}

Viewport readableViewport(const ChainData& data, ChainRows rows, QSizeF size) {
    Viewport v = axesOf(data, roomFor(&data, rows, size));
    v.x = readable(v.x, data.cellWidth());
    v.y = readable(v.y, rowHeight(rows));
    const double seen = v.x.length / v.x.scale;
    if (data.lanes().empty() || data.lanes().front().first() <= seen / 3) return v;
    v.x = v.x.centredOn(data.lanes().front().first() - 1 + seen / 2);
    return v;
}

std::vector<int> positionTicks(const ChainLayout& l) {
    constexpr double kApart = 60, kLastApart = 40;
    const int last = l.data->positions() - 1;
    const int every = std::max(1, static_cast<int>(niceStep(kApart / l.x.scale, TickBase::Decimal)));
    const int first = std::max(0, static_cast<int>(std::ceil(l.x.visibleBegin() / every)) * every);
    std::vector<int> ticks;
    for (int v = first; v <= last && v < l.x.visibleEnd(); v += every)
        ticks.push_back(v);
    if (last < 0 || last < l.x.visibleBegin() || last + 0.5 > l.x.visibleEnd()) return ticks;
    while (!ticks.empty() && (last - ticks.back()) * l.x.scale < kLastApart)
        ticks.pop_back();
    ticks.push_back(last);
    return ticks;
}

namespace {

Bytes mostOf(const ChainData& data, bool showsRejected) {
    Bytes most = std::max(data.limit(), data.highest());
    // Seen as too much, and no more: what is many times the limit would leave the rest no height.
    for (const ChainShortage& s : data.shortages())
        most = std::max(most, std::min(s.needed, s.available + s.available / 2));
    if (showsRejected)
        for (const ttnn::MergeInfo& merge : data.record().record.merges)
            if (!merge.isAccepted) most = std::max(most, merge.needed);
    return most;
}

}  // namespace

Bytes timelineTop(const ChainViewState& state) {
    Bytes most = mostOf(*state.data, state.showsRejected);
    if (state.beside) most = std::max(most, mostOf(*state.beside, state.showsRejected));
    return most + most / 10;
}

namespace {

ChainHit hitIn(int lane, const ChainLayout& l, QPointF at) {
    const ChainLane& row = l.data->lanes()[static_cast<std::size_t>(lane)];
    if (l.badgeRect(lane).contains(at)) return {ChainHit::Part::Badge, {}, lane, nullptr};
    if (at.x() >= l.lanes.left()) {
        for (const ChainEdge& edge : row.edges)
            if (l.edgeRect(lane, edge).contains(at)) return {ChainHit::Part::Edge, edge.consumer, lane, &edge};
        for (const ChainCell& cell : row.cells)
            if (l.cellRect(lane, cell.op).contains(at)) return {ChainHit::Part::Cell, cell.op, lane, nullptr};
    }
    return {ChainHit::Part::Lane, {}, lane, nullptr};
}

ChainHit hitLane(const ChainViewState& state, const ChainLayout& l, QPointF at) {
    const int row = static_cast<int>(std::floor(l.y.toValue(at.y() - l.lanes.top())));
    const auto& lanes = state.data->lanes();
    if (!l.isPacked()) return row >= 0 && static_cast<std::size_t>(row) < lanes.size() ? hitIn(row, l, at) : ChainHit{};
    if (at.x() < l.lanes.left()) return {};
    for (std::size_t i = 0; i < lanes.size(); ++i)
        if (lanes[i].row == row && l.laneRect(static_cast<int>(i)).contains(at))
            return hitIn(static_cast<int>(i), l, at);
    return {};
}

}  // namespace

ChainHit chainHit(const ChainViewState& state, const ChainLayout& l, QPointF at) {
    if (!state.data) return {};
    if (!state.data->lanes().empty() && l.lanes.united(l.names).contains(at)) return hitLane(state, l, at);
    const int position = static_cast<int>(std::floor(l.x.toValue(at.x() - l.lanes.left())));
    if (position < 0 || position >= state.data->positions()) return {};
    const OpId op{position};
    const int lane = state.data->laneOf(op);
    if (l.timeline.contains(at)) return {ChainHit::Part::Column, op, lane, nullptr};
    if (l.outside.contains(at) && lane < 0) return {ChainHit::Part::Cell, op, -1, nullptr};
    return {};
}

}  // namespace memplan::ui

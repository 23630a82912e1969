// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/geometry/chain_layout.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kNames = 158, kGoals = 40, kAxis = 20, kOutside = 26, kGap = 4;
constexpr double kTimelineShare = 0.34, kTimelineMost = 210, kTimelineLeast = 90, kTimelineHead = 26, kFoot = 20;

Viewport axesOf(const ChainData& data, const ChainLayout& room) {
    Viewport v;
    v.x = {0, 1, 0, std::max(1.0, static_cast<double>(data.positions())), room.lanes.width(), ChainLayout::kCell * 2};
    v.y = {0, 1, 0, std::max(1.0, static_cast<double>(data.lanes().size())), room.lanes.height(), ChainLayout::kLane};
    return v;
}

Axis readable(const Axis& axis, double scale) {
    Axis next = axis.fitted();
    next.scale = axis.fitScale() >= scale ? std::min(axis.fitScale(), axis.maxScale) : scale;
    return next;
}

}  // namespace

QRectF ChainLayout::laneRect(int lane) const {
    return {lanes.left(), yOf(lane), lanes.width(), y.scale};
}

QRectF ChainLayout::cellRect(int lane, OpId op) const {
    const double gap = std::min(kGap, x.scale * 0.12), inset = std::min(5.0, y.scale * 0.12);
    const double height = std::min(40.0, std::max(2.0, y.scale - 2 * inset - (hasWords() ? 8 : 0)));
    return {xOf(op.index) + gap / 2, yOf(lane) + inset, std::max(1.0, x.scale - gap), height};
}

QRectF ChainLayout::outsideRect(OpId op) const {
    const double gap = std::min(kGap, x.scale * 0.12);
    return {xOf(op.index) + gap / 2, outside.top() + 3, std::max(1.0, x.scale - gap), outside.height() - 6};
}

QRectF ChainLayout::badgeRect(int lane) const {
    const QRectF row = laneRect(lane);
    if (y.scale < 20) return {names.right() - 14, row.top() + 1, 10, std::max(1.0, row.height() - 2)};
    return {names.left() + 40, row.top() + std::min(6.0, (row.height() - 18) / 2), 104, 18};
}

QRectF ChainLayout::edgeRect(int lane, const ChainEdge& edge) const {
    if (!hasWords() || !edge.producer.isValid()) return {};
    const QRectF a = cellRect(lane, edge.producer), b = cellRect(lane, edge.consumer);
    return {(a.right() + b.left()) / 2 - 19, a.bottom() - 5, 38, 15};
}

double ChainLayout::byteY(Bytes bytes, Bytes most) const {
    const double room = timeline.height();
    return timeline.bottom() - room * static_cast<double>(bytes) / static_cast<double>(std::max<Bytes>(1, most));
}

ChainLayout chainLayout(const Viewport& viewport, QSizeF size) {
    ChainLayout l;
    const double left = std::min(kNames, size.width() * 0.3), width = std::max(10.0, size.width() - left - 8);
    double timeline = std::clamp(size.height() * kTimelineShare, kTimelineLeast, kTimelineMost);
    l.goals = {0, 0, size.width(), kGoals};
    l.axis = {left, kGoals, width, kAxis};
    l.outside = {left, kGoals + kAxis, width, kOutside};
    const double top = l.outside.bottom() + 2;
    timeline = std::min(timeline, std::max(40.0, size.height() - top - 60));
    const double foot = size.height() - kFoot, head = foot - timeline;
    l.lanes = {left, top, width, std::max(10.0, head - top)};
    l.names = {0, top, left, l.lanes.height()};
    l.timeline = {left, head + kTimelineHead, width, std::max(10.0, timeline - kTimelineHead)};
    l.x = viewport.x;
    l.y = viewport.y;
    return l;
}

Viewport wholeViewport(const ChainData& data, QSizeF size) {
    const ChainLayout room = chainLayout({}, size);
    Viewport v = axesOf(data, room);
    v.x.scale = std::min(v.x.fitScale(), v.x.maxScale);
    v.y.scale = std::min(v.y.fitScale(), v.y.maxScale);
    return v;
}

Viewport readableViewport(const ChainData& data, QSizeF size) {
    const ChainLayout room = chainLayout({}, size);
    Viewport v = axesOf(data, room);
    v.x = readable(v.x, ChainLayout::kCell);
    v.y = readable(v.y, ChainLayout::kLane);
    return v;
}

Bytes timelineTop(const ChainViewState& state) {
    Bytes most = std::max(state.data->limit(), state.data->highest());
    if (state.showsRejected)
        for (const ttnn::MergeInfo& merge : state.data->record().record.merges)
            if (!merge.isAccepted) most = std::max(most, merge.needed);
    return most + most / 10;
}

namespace {

ChainHit hitLane(const ChainViewState& state, const ChainLayout& l, QPointF at) {
    const int lane = static_cast<int>(std::floor(l.y.toValue(at.y() - l.lanes.top())));
    if (lane < 0 || static_cast<std::size_t>(lane) >= state.data->lanes().size()) return {};
    const ChainLane& row = state.data->lanes()[static_cast<std::size_t>(lane)];
    if (at.x() < l.lanes.left())
        return {l.badgeRect(lane).contains(at) ? ChainHit::Part::Badge : ChainHit::Part::Lane, {}, lane, nullptr};
    for (const ChainEdge& edge : row.edges)
        if (l.edgeRect(lane, edge).contains(at)) return {ChainHit::Part::Edge, edge.consumer, lane, &edge};
    for (const ChainCell& cell : row.cells)
        if (l.cellRect(lane, cell.op).contains(at)) return {ChainHit::Part::Cell, cell.op, lane, nullptr};
    return {ChainHit::Part::Lane, {}, lane, nullptr};
}

}  // namespace

ChainHit chainHit(const ChainViewState& state, const ChainLayout& l, QPointF at) {
    if (!state.data) return {};
    if (l.lanes.united(l.names).contains(at)) return hitLane(state, l, at);
    const int position = static_cast<int>(std::floor(l.x.toValue(at.x() - l.lanes.left())));
    if (position < 0 || position >= state.data->positions()) return {};
    const OpId op{position};
    const int lane = state.data->laneOf(op);
    if (l.timeline.contains(at)) return {ChainHit::Part::Column, op, lane, nullptr};
    if (l.outside.contains(at) && lane < 0) return {ChainHit::Part::Cell, op, -1, nullptr};
    return {};
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/geometry/residual_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kNumbers = 40, kAxis = 26, kGap = 12, kFoot = 8, kHead = 26, kTicks = 20;
constexpr double kLeastMap = 260, kColumnMost = 64;

struct PartInfo {
    StripPart part;
    double width;
    int rank;  ///< what has the largest goes first where there is no room
};
constexpr std::array kParts{PartInfo{StripPart::Heads, 78, 2},    PartInfo{StripPart::Slots, 84, 3},
                            PartInfo{StripPart::Ops, 38, 4},      PartInfo{StripPart::Cancelled, 66, 5},
                            PartInfo{StripPart::Occupied, 66, 0}, PartInfo{StripPart::Bound, 62, 1}};
constexpr double kMapShare = 0.52;  ///< of the width goes to the map before the strip gets more

/// The parts of the strip for which there is room.
std::vector<StripColumn> stripColumns(double room) {
    std::vector<StripColumn> columns;
    for (int ranks = static_cast<int>(kParts.size()); ranks > 0; --ranks) {
        columns.clear();
        double left = 0;
        for (const PartInfo& part : kParts) {
            if (part.rank >= ranks) continue;
            columns.push_back({part.part, left, part.width});
            left += part.width;
        }
        if (left <= room) return columns;
    }
    return {};
}

double widthOf(const std::vector<StripColumn>& columns) {
    return columns.empty() ? 0 : columns.back().left + columns.back().width;
}

}  // namespace

ResidualScale residualScale(const ResidualViewState& state) {
    ResidualScale scale;
    for (const ResidualDataPtr& data : {state.data, state.peer}) {
        if (!data) continue;
        scale.d = std::max(scale.d, data->d());
        scale.layers = std::max(scale.layers, data->layers());
        scale.ops = std::max(scale.ops, data->mostOps());
        scale.cancelled = std::max(scale.cancelled, data->mostCancelled());
    }
    return scale;
}

ResidualLayout residualLayout(const ResidualViewState& state, QSizeF size) {
    ResidualLayout l;
    l.stackColumns = std::max(1, residualScale(state).d);
    l.x = state.viewport.x;
    l.y = state.viewport.y;
    const double width = std::max(60.0, size.width()), height = std::max(60.0, size.height());
    l.parts = stripColumns(width - kNumbers - std::max(kLeastMap, kMapShare * width) - 2 * kGap);
    const double strip = widthOf(l.parts);
    const double mapWidth = std::max(20.0, width - kNumbers - kGap - (strip > 0 ? strip + kGap : 0));
    const bool isAlone = !state.showsMap;
    const int bands = (state.showsStack ? 1 : 0) + (state.showsPath ? 1 : 0);
    double below = bands == 0 ? 0 : std::clamp(height * 0.3 * bands, 84.0 * bands, 190.0 * bands);
    below = isAlone && bands > 0 ? height - kFoot : std::min(below, height * 0.6);
    const double mapHeight = std::max(isAlone ? 0.0 : 20.0, height - kAxis - below - kFoot);
    l.axis = {kNumbers, 0, mapWidth, kAxis};
    l.map = {kNumbers, kAxis, mapWidth, isAlone ? 0 : mapHeight};
    l.numbers = {0, kAxis, kNumbers, l.map.height()};
    if (strip > 0 && !isAlone) l.strip = {l.map.right() + kGap, l.map.top(), strip, l.map.height()};
    if (isAlone) l.parts.clear();
    double top = isAlone ? 0 : l.map.bottom();
    const double each = bands == 0 ? 0 : below / bands;
    const auto band = [&](bool isShown) {
        if (!isShown) return QRectF();
        const QRectF plot(kNumbers, top + kHead, mapWidth, std::max(10.0, each - kHead - kTicks));
        top += each;
        return plot;
    };
    l.stack = band(state.showsStack);
    l.path = band(state.showsPath);
    const QRectF first = state.showsStack ? l.stack : l.path;
    if (strip > 190 && bands > 0)
        l.shares = {l.map.right() + kGap, first.top() - 8, strip, std::max(0.0, top - first.top())};
    return l;
}

Viewport wholeViewport(const ResidualViewState& state, QSizeF size) {
    const ResidualLayout room = residualLayout(state, size);
    const ResidualScale scale = residualScale(state);
    const double high = std::max(20.0, room.map.height());
    Viewport v;
    v.x = {0, 1, 0, std::max(1.0, static_cast<double>(scale.d)), room.map.width(), kColumnMost};
    v.y = {0, 1, 0, std::max(1.0, static_cast<double>(scale.layers)), high, kColumnMost};
    v.x = v.x.fitted();
    v.y = v.y.fitted();
    return v;
}

int ResidualLayout::layerAt(double yPixel) const {
    return static_cast<int>(std::floor(y.toValue(yPixel - map.top())));
}

double ResidualLayout::acrossOf(double layer) const {
    const double begin = std::max(y.contentBegin, y.visibleBegin()), end = std::min(y.contentEnd, y.visibleEnd());
    return map.left() + map.width() * (layer - begin) / std::max(1e-9, end - begin);
}

int ResidualLayout::layerAcross(double xPixel) const {
    const double begin = std::max(y.contentBegin, y.visibleBegin()), end = std::min(y.contentEnd, y.visibleEnd());
    return static_cast<int>(std::floor(begin + (xPixel - map.left()) / map.width() * (end - begin)));
}

/// A little room above the limit, whose line is drawn over the data.
double ResidualLayout::stackY(double occupied) const {
    return stack.bottom() - stack.height() * occupied / (1.06 * stackColumns);
}

std::pair<int, int> ResidualLayout::visibleLayers(int layers) const {
    const int first = std::clamp(static_cast<int>(std::floor(y.visibleBegin())), 0, layers);
    const int end = std::clamp(static_cast<int>(std::ceil(y.visibleEnd() - 1e-6)), first, layers);
    return {first, end};
}

QRectF ResidualLayout::rectOf(const ResidualHolding& holding, const torchwright::ColumnRun& run) const {
    const QPointF topLeft(xOf(run.first), yOf(holding.firstHalf / 2.0));
    return {topLeft, QPointF(xOf(run.first + run.count), yOf(holding.endHalf / 2.0))};
}

QRectF ResidualLayout::boundsOf(const ResidualHolding& holding, const torchwright::ColumnList& list) const {
    QRectF all;
    for (const torchwright::ColumnRun& run : list.runs())
        all = all.united(rectOf(holding, run));
    return all;
}

QRectF ResidualLayout::plateauRect(const ResidualPlateau& plateau) const {
    return {QPointF(map.left() - 2, yOf(plateau.first)), QPointF(map.right() + 2, yOf(plateau.last + 1))};
}

QRectF ResidualLayout::plateauLabel(const ResidualPlateau& plateau) const {
    constexpr double kWide = 168, kHigh = 18;
    if (map.width() < kWide + 20 || map.height() < 2 * kHigh) return {};
    const QRectF box = plateauRect(plateau);
    const double top = std::clamp(box.top() - kHigh / 2, map.top() + 2, map.bottom() - kHigh - 2);
    if (box.bottom() < map.top() || box.top() > map.bottom()) return {};
    return {map.right() - kWide - 12, top, kWide, kHigh};
}

QRectF ResidualLayout::pathBar(std::size_t place, std::size_t places, double first, double end) const {
    const double row = path.height() / static_cast<double>(std::max<std::size_t>(1, places));
    const double gap = row >= 5 ? 1 : 0;
    const double left = acrossOf(first), right = std::max(left + 1, acrossOf(end));
    return {left, path.top() + row * static_cast<double>(place), right - left, std::max(1.0, row - gap)};
}

// ---- hit ---------------------------------------------------------------------------------------------------------

namespace {

std::optional<int> plateauAt(const ResidualViewState& state, const ResidualLayout& l, QPointF at) {
    for (std::size_t i = 0; i < state.plateaus->size(); ++i)
        if (l.plateauLabel((*state.plateaus)[i]).contains(at)) return static_cast<int>(i);
    return std::nullopt;
}

ResidualHit hitRow(const ResidualViewState& state, const ResidualLayout& l, QPointF at) {
    ResidualHit hit;
    hit.layer = l.layerAt(at.y());
    if (hit.layer < 0 || hit.layer >= state.data->layers()) return {};
    if (l.numbers.contains(at)) {
        hit.part = ResidualHit::Part::Number;
    } else if (l.strip.contains(at)) {
        hit.part = ResidualHit::Part::Strip;
        for (const StripColumn& column : l.parts)
            if (at.x() - l.strip.left() >= column.left) hit.strip = column.part;
    } else {
        hit.part = ResidualHit::Part::Map;
        hit.isAfterMlp = l.y.toValue(at.y() - l.map.top()) - hit.layer >= 0.5;
        hit.column = static_cast<int>(std::floor(l.x.toValue(at.x() - l.map.left())));
        if (hit.column < 0 || hit.column >= state.data->d()) return {};
        hit.holding = state.data->ownerAt(2 * hit.layer + (hit.isAfterMlp ? 1 : 0), hit.column);
    }
    return hit;
}

ResidualHit hitPath(const ResidualViewState& state, const ResidualLayout& l, QPointF at) {
    const std::size_t places = state.path->size();
    if (places == 0) return {};
    const double row = l.path.height() / static_cast<double>(places);
    const auto place = static_cast<std::size_t>(std::max(0.0, (at.y() - l.path.top()) / row));
    ResidualHit hit;
    hit.part = ResidualHit::Part::Path;
    hit.layer = std::clamp(l.layerAcross(at.x()), 0, state.data->layers() - 1);
    hit.index = static_cast<int>(std::min(place, places - 1));
    return hit;
}

ResidualHit hitShare(const ResidualViewState& state, const ResidualLayout& l, QPointF at) {
    const auto [first, end] = shareRange(state, l);
    const int row = static_cast<int>(
        std::floor((at.y() - l.shares.top() - ResidualLayout::kShareHead) / ResidualLayout::kShareRow));
    const std::vector<ShareRow> rows = shareRows(*state.data, first, end, shareCapacity(l));
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size()) return {};
    ResidualHit hit;
    hit.part = ResidualHit::Part::Share;
    hit.index = rows[static_cast<std::size_t>(row)].annotation;
    return hit;
}

}  // namespace

ResidualHit residualHit(const ResidualViewState& state, const ResidualLayout& l, QPointF at) {
    if (!state.data || state.data->layers() == 0) return {};
    if (const auto plateau = plateauAt(state, l, at)) {
        ResidualHit hit;
        hit.part = ResidualHit::Part::Plateau;
        hit.index = *plateau;
        return hit;
    }
    if (l.map.contains(at) || l.numbers.contains(at) || l.strip.contains(at)) return hitRow(state, l, at);
    if (l.stack.contains(at)) {
        ResidualHit hit;
        hit.layer = std::max(0, l.layerAcross(at.x()));
        if (hit.layer >= state.data->layers()) return {};  // of its peer alone
        hit.part = ResidualHit::Part::Stack;
        return hit;
    }
    if (l.path.contains(at)) return hitPath(state, l, at);
    if (l.shares.contains(at)) return hitShare(state, l, at);
    return {};
}

// ---- shares --------------------------------------------------------------------------------------------------------

std::vector<ShareRow> shareRows(const ResidualData& data, int first, int end, int most) {
    std::vector<ShareRow> rows;
    std::int64_t all = 0;
    const double layers = std::max(1, end - first);
    for (std::size_t i = 0; i < data.annotations().size(); ++i) {
        std::int64_t sum = 0;
        for (int layer = first; layer < end; ++layer)
            sum += data.annotations()[i].columns[static_cast<std::size_t>(layer)];
        if (sum == 0) continue;
        rows.push_back({static_cast<int>(i), 0, static_cast<double>(sum) / layers, static_cast<double>(sum)});
        all += sum;
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, &ShareRow::columns);
    for (ShareRow& row : rows)
        row.share /= static_cast<double>(std::max<std::int64_t>(1, all));
    if (static_cast<int>(rows.size()) <= most) return rows;
    if (most <= 1) {  // "other" alone says nothing
        rows.resize(1);
        return rows;
    }
    ShareRow rest;
    for (std::size_t i = static_cast<std::size_t>(most - 1); i < rows.size(); ++i) {
        ++rest.others;
        rest.columns += rows[i].columns;
        rest.share += rows[i].share;
    }
    rows.resize(static_cast<std::size_t>(most - 1));
    rows.push_back(rest);
    return rows;
}

std::pair<int, int> shareRange(const ResidualViewState& state, const ResidualLayout& l) {
    if (state.layer >= 0 && state.layer < state.data->layers()) return {state.layer, state.layer + 1};
    if (state.plateau >= 0 && static_cast<std::size_t>(state.plateau) < state.plateaus->size()) {
        const ResidualPlateau& plateau = (*state.plateaus)[static_cast<std::size_t>(state.plateau)];
        return {plateau.first, plateau.last + 1};
    }
    const int end = std::min(state.peerPlateau.second, state.data->layers());
    if (state.peerPlateau.first < end) return {state.peerPlateau.first, end};
    return l.visibleLayers(state.data->layers());
}

int shareCapacity(const ResidualLayout& l) {
    return std::clamp(static_cast<int>((l.shares.height() - ResidualLayout::kShareHead) / ResidualLayout::kShareRow), 1,
                      13);
}

}  // namespace memplan::ui

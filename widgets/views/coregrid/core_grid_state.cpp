// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/core_grid_state.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kGap = 2;

/// Number of a core's slices in the dimensions outside the plane, counted like core numbers.
std::int64_t otherIndex(const PlanOp& op, PicturePlane plane, const std::vector<std::int64_t>& slices) {
    std::int64_t index = 0, factor = 1;
    for (std::size_t d = 0; d < slices.size(); ++d) {
        if (static_cast<int>(d) == plane.rows || static_cast<int>(d) == plane.columns) continue;
        index += slices[d] * factor;
        factor *= std::max<std::int64_t>(1, op.iterationSpace[d].slices);
    }
    return index;
}

/// Part [slot / count, (slot + 1) / count) of an extent, on whole pixels.
std::pair<double, double> part(double begin, double length, std::int64_t slot, std::int64_t count) {
    const double a = std::round(begin + length * static_cast<double>(slot) / static_cast<double>(count));
    const double b = std::round(begin + length * static_cast<double>(slot + 1) / static_cast<double>(count));
    return {a, b};
}

struct Slot {
    std::int64_t row = 0, rows = 1, column = 0, columns = 1;
    friend auto operator<=>(const Slot&, const Slot&) = default;
};

QRectF slotRect(const Slot& s, const QRectF& area) {
    const auto [top, bottom] = part(area.top(), area.height(), s.row, s.rows);
    const auto [left, right] = part(area.left(), area.width(), s.column, s.columns);
    return {left, top, right - left, bottom - top};
}

Slot pairSlot(const SplitPair& pair, const PlanAccess& access, int core) {
    Slot s;
    if (pair.plane.rows >= 0) {
        const int d = pair.dims[at(pair.plane.rows)].device;
        s.row = slotAlong(access, d, core);
        s.rows = piecesAlong(access, d);
    }
    if (pair.plane.columns >= 0) {
        const int d = pair.dims[at(pair.plane.columns)].device;
        s.column = slotAlong(access, d, core);
        s.columns = piecesAlong(access, d);
    }
    return s;
}

std::vector<SplitPiece> piecesFrom(const std::map<Slot, std::vector<int>>& bySlot, const QRectF& area) {
    std::vector<SplitPiece> pieces;
    for (const auto& [slot, cores] : bySlot)
        pieces.push_back({slotRect(slot, area), cores});
    return pieces;
}

/// A split picture keeps the mock-up's proportions: label above and left, caption below.
QRectF pictureArea(const QRectF& half) {
    const double height = std::clamp(half.width() * 0.68, 120.0, std::max(120.0, half.height() - 84));
    return QRectF(half.left() + 36, half.top() + 40, half.width() - 46, height).toAlignedRect();
}

constexpr double kCardLine = 16, kCardButton = 30;

/// The card is as high as its words and buttons. A layout has no fonts: the widths of letters are those of the
/// design's typeface, rounded up.
double cardHeight(const CoreGridState& state, double width) {
    const auto lines = [room = std::max(80.0, width - 60)](const QString& words, double letter) {
        return std::clamp(std::ceil(static_cast<double>(words.size()) * letter / room), 1.0, 3.0);
    };
    const double words = lines(state.card.title, 7.2) + lines(state.card.body, 5.8);
    return 14 + words * kCardLine + 4 + state.cardButtonRows * kCardButton + 14;
}

}  // namespace

QRectF CoreGridLayout::cellRect(int core) const {
    return {firstCell.x() + core % columns * (cell + kGap), firstCell.y() + core / columns * (cell + kGap), cell, cell};
}

int CoreGridLayout::coreAt(QPointF p) const {
    for (int core = 0; core < rows * columns; ++core)
        if (cellRect(core).contains(p)) return core;
    return -1;
}

CoreGridLayout coreGridLayout(const CoreGridState& state, QSizeF size) {
    CoreGridLayout l;
    // Low and narrow: beside the cells there is more room than below them.
    constexpr double kNarrow = 720, kNarrowest = 480, kLow = 320, kLeastCell = 10;
    l.isNarrow = size.width() < kNarrow && (size.width() < kNarrowest || size.height() >= kLow);
    const double left = l.isNarrow ? size.width() : std::round(std::clamp(size.width() * 0.39, 232.0, 476.0));
    const double most = l.isNarrow ? 34.0 : 120.0;
    if (state.metrics) l.columns = state.metrics->columns();
    l.rows = state.metrics ? std::max(1, state.metrics->machineCores() / l.columns) : 4;
    l.firstCell = {l.isNarrow ? 12.0 : 24.0, 40};
    const double high = std::floor((size.height() - l.firstCell.y() - 10) / std::max(1, l.rows) - kGap);
    l.cell = std::clamp(std::min(std::floor((left - 28 - (l.columns - 1) * kGap) / l.columns), high), kLeastCell, most);
    const double below = l.firstCell.y() + l.rows * (l.cell + kGap) + 10;
    l.cores = {0, 0, left, l.isNarrow ? below : size.height()};
    l.right = l.isNarrow ? QRectF(0, below, size.width(), size.height() - below)
                         : QRectF(left, 0, size.width() - left, size.height());
    const double inset = l.isNarrow ? 12 : 36;
    if (state.mode == CoreGridMode::Detail) {
        if (!state.memory.empty()) {
            const double width = std::max(80.0, l.right.width() - inset - 24);
            l.memory = {l.right.left() + inset, l.right.top() + 44, width, std::max(60.0, l.right.height() - 44 - 64)};
            l.slider = {l.memory.left(), l.memory.bottom() + 20, width, 24};
            return l;
        }
        l.strip = {l.right.left() + inset, l.right.top() + 72, std::max(80.0, l.right.width() - inset - 24), 56};
        l.slider = {l.strip.left(), l.strip.bottom() + 96, l.strip.width(), 24};
        return l;
    }
    const QRectF body = l.right.adjusted(l.isNarrow ? -8 : 6, 14, -10, -10);
    if (!state.pair && state.before) {
        const double half = (body.width() - 8) / 2;
        l.first = pictureArea({body.left(), body.top(), half, body.height()});
        l.second = pictureArea({body.left() + half + 8, body.top(), half, body.height()});
        return l;
    }
    if (!state.pair) {
        const double width = std::min(body.width(), 620.0);
        const double card = state.input.isValid() ? cardHeight(state, width - 46) : 0, words = card > 0 ? 50 : 0;
        l.first = pictureArea({body.left(), body.top(), width, std::max(170.0, body.height() - card - words / 2)});
        if (card > 0) l.card = {l.first.left(), l.first.bottom() + words, width - 46, card};
        return l;
    }
    const double half = (body.width() - 8) / 2;
    const double width = l.isNarrow ? body.width() - 22 : body.width() - 44;
    const double card = cardHeight(state, width);
    const double pictures = std::max(170.0, body.height() - card - (l.isNarrow ? 46 : 60));
    l.first = pictureArea({body.left(), body.top(), half, pictures});
    l.second = pictureArea({body.left() + half + 8, body.top(), half, pictures});
    l.card = {body.left() + (l.isNarrow ? 22 : 36), l.first.bottom() + (l.isNarrow ? 46 : 72), width, card};
    return l;
}

std::vector<SplitPiece> opPieces(const PlanOp& op, PicturePlane plane, std::int64_t otherSlice, const QRectF& area) {
    std::map<Slot, std::vector<int>> bySlot;
    for (int core = 0; core < op.cores; ++core) {
        const auto slices = slicesOfCore(op, core);
        if (!slices || otherIndex(op, plane, *slices) != otherSlice) continue;
        Slot s;
        if (plane.rows >= 0) {
            s.row = (*slices)[at(plane.rows)];
            s.rows = op.iterationSpace[at(plane.rows)].slices;
        }
        if (plane.columns >= 0) {
            s.column = (*slices)[at(plane.columns)];
            s.columns = op.iterationSpace[at(plane.columns)].slices;
        }
        bySlot[s].push_back(core);
    }
    return piecesFrom(bySlot, area);
}

std::int64_t otherCombinations(const PlanOp& op, PicturePlane plane) {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < op.iterationSpace.size(); ++d)
        if (static_cast<int>(d) != plane.rows && static_cast<int>(d) != plane.columns)
            count *= std::max<std::int64_t>(1, op.iterationSpace[d].slices);
    return count;
}

std::vector<SplitPiece> pairPieces(const SplitPair& pair, bool isWriter, const QRectF& area) {
    const PlanAccess& access = isWriter ? *pair.write : *pair.read;
    const std::int64_t cores = isWriter ? pair.writerCores : pair.readerCores;
    std::map<Slot, std::vector<int>> bySlot;
    for (int core = 0; core < cores; ++core)
        bySlot[pairSlot(pair, access, core)].push_back(core);
    return piecesFrom(bySlot, area);
}

QRectF commonPart(const Plan& plan, const SplitPair& pair, int core, const QRectF& area) {
    if (shareOf(plan, pair, core).same <= 0) return {};
    return slotRect(pairSlot(pair, *pair.write, core), area) & slotRect(pairSlot(pair, *pair.read, core), area);
}

QString coresText(const std::vector<int>& cores) {
    if (cores.empty()) return {};
    const bool isRun = cores.size() > 2 && cores.back() - cores.front() == static_cast<int>(cores.size()) - 1;
    if (isRun) return QStringLiteral("%1\u2013%2").arg(cores.front()).arg(cores.back());
    QString text = QString::number(cores.front());
    for (std::size_t i = 1; i < cores.size() && i < 4; ++i)
        text += QStringLiteral(", %1").arg(cores[i]);
    return cores.size() > 4 ? text + QStringLiteral(", \u2026") : text;
}

int coreAtPieces(const std::vector<SplitPiece>& pieces, QPointF p) {
    for (const SplitPiece& piece : pieces)
        if (piece.rect.contains(p) && !piece.cores.empty()) return piece.cores.front();
    return -1;
}

}  // namespace memplan::ui

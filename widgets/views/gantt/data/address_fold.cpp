// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/data/address_fold.h"

#include <algorithm>
#include <bit>

namespace memplan::ui {

namespace {

constexpr double kMostInUse = 0.25;  ///< of the usable addresses; above, the plain scale is legible
// Shares of the part that is in use: what the fold and the memory above it are drawn as.
constexpr double kFoldShare = 0.1, kAboveShare = 0.2;

}  // namespace

double AddressFold::toScale(double address) const {
    if (!isFolded() || address <= begin) return address;
    if (address >= end) return begin + width + (address - end) * above;
    return begin + (address - begin) * width / (end - begin);
}

double AddressFold::toAddress(double units) const {
    if (!isFolded() || units <= begin) return units;
    if (units >= begin + width) return end + (units - begin - width) / above;
    return begin + (units - begin) * (end - begin) / width;
}

AddressFold foldAbove(Bytes top, Bytes usable, Bytes physical) {
    if (top <= 0 || static_cast<double>(top) > kMostInUse * static_cast<double>(usable)) return {};
    // An eighth of a power of two: the last label below the fold is a round one.
    const auto eighth = std::max<Bytes>(1, static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(top)) / 8));
    AddressFold fold;
    fold.begin = static_cast<double>((top / eighth + 1) * eighth);
    fold.end = static_cast<double>(usable);
    fold.width = fold.begin * kFoldShare;
    if (physical > usable) fold.above = fold.begin * kAboveShare / static_cast<double>(physical - usable);
    return fold;
}

}  // namespace memplan::ui

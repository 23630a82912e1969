// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/address_fold.h"

#include "widgets/views/gantt/gantt_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr Address kStickBytes = 128;
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

namespace {

/// Round numbers of the unit that the labels name: 1, 2, 5 x 10^n bytes or sticks, powers of two in KiB, MiB and
/// hexadecimal (A.9).
std::vector<double> roundTicks(Axis axis, const Units& units, double minPixels) {
    const bool isBinary = units.hexAddresses || units.unit == ByteUnit::KiB || units.unit == ByteUnit::MiB;
    if (isBinary) return gridTicks(axis, minPixels, TickBase::PowersOfTwo);
    const double unit = units.unit == ByteUnit::Sticks ? kStickBytes : 1;
    axis.origin /= unit;
    axis.contentBegin /= unit;
    axis.contentEnd /= unit;
    axis.scale *= unit;
    std::vector<double> ticks = gridTicks(axis, minPixels, TickBase::Decimal);
    for (double& tick : ticks)
        tick *= unit;
    return ticks;
}

}  // namespace

std::vector<double> addressTicks(const GanttLayout& layout, const Units& units, double minPixels) {
    if (!layout.fold.isFolded()) return roundTicks(layout.y, units, minPixels);
    Axis used = layout.y;
    used.contentEnd = layout.fold.begin;
    std::vector<double> ticks = roundTicks(used, units, minPixels);
    const double top = layout.y.contentEnd, half = 0.5 / layout.y.scale;
    if (top <= layout.y.visibleEnd() + half) ticks.push_back(std::round(layout.fold.toAddress(top)));
    return ticks;
}

QString addressLabel(double value, const Units& units) {
    constexpr Address kKiB = 1024, kShortMiB = 16384;
    const auto a = static_cast<Address>(std::llround(value));
    if (units.hexAddresses) return hexText(a);
    if (a == 0) return QStringLiteral("0");
    const bool isKiB = units.unit == ByteUnit::KiB || units.unit == ByteUnit::MiB;
    if (units.unit == ByteUnit::Sticks && a % kStickBytes == 0) return groupedText(a / kStickBytes);
    if (units.unit == ByteUnit::Columns) return groupedText(a);
    if (units.unit == ByteUnit::MiB && a % kShortMiB == 0)
        return QString::number(static_cast<double>(a) / 1048576.0, 'g', 4) + QStringLiteral("\u202FMiB");
    if (isKiB && a % kKiB == 0) return groupedText(a / kKiB) + QStringLiteral("\u202FKiB");
    return exactBytes(a);
}

}  // namespace memplan::ui

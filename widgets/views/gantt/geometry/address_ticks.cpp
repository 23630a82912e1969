// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/geometry/address_ticks.h"

#include <cmath>

namespace memplan::ui {

namespace {

constexpr Address kStickBytes = 128;

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

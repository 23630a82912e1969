// SPDX-License-Identifier: GPL-3.0-or-later
// One axis of a view: value <-> pixel, zoom at a point, pan, limits, ticks (user-experience 2.7,
// A.1, A.9). Pure arithmetic; a two-dimensional view holds two of them.
#pragma once

#include <QString>

#include <vector>

namespace memplan::ui {

/// pixel = (value - origin) * scale. Scale and origin are doubles, values whole numbers.
struct Axis {
    double origin = 0;        ///< value at pixel 0
    double scale = 1;         ///< pixels per unit
    double contentBegin = 0;  ///< values that exist
    double contentEnd = 1;
    double length = 100;   ///< pixels on screen
    double maxScale = 64;  ///< one unit is at most 64 px wide

    [[nodiscard]] double toPixel(double value) const { return (value - origin) * scale; }
    [[nodiscard]] double toValue(double pixel) const { return origin + pixel / scale; }
    [[nodiscard]] double visibleBegin() const { return origin; }
    [[nodiscard]] double visibleEnd() const { return origin + length / scale; }
    [[nodiscard]] double minScale() const;  ///< 110 % of the content visible
    [[nodiscard]] double fitScale() const;
    [[nodiscard]] bool isFitted() const;  ///< the whole content is shown at its fitting scale

    [[nodiscard]] Axis zoomedAt(double pixel, double factor) const;  ///< the value under `pixel` stays there
    [[nodiscard]] Axis panned(double pixels) const;                  ///< content follows the pointer
    [[nodiscard]] Axis fitted() const;
    [[nodiscard]] Axis fittedTo(double begin, double end, double margin = 0.1) const;
    [[nodiscard]] Axis resized(double newLength) const;  ///< a fitted axis stays fitted
    [[nodiscard]] Axis centredOn(double value) const;
    friend bool operator==(const Axis&, const Axis&) = default;
};

struct Viewport {
    Axis x, y;
    friend bool operator==(const Viewport&, const Viewport&) = default;
};

struct Tick {
    double value = 0;
    QString label;
    friend bool operator==(const Tick&, const Tick&) = default;
};

enum class TickBase { Decimal, PowersOfTwo };

/// Smallest step of the form 1, 2, 5 x 10^n (or 2^n) that is at least `minimum`, and at least 1.
[[nodiscard]] double niceStep(double minimum, TickBase base);
/// Multiples of the nice step inside [begin, end], labels at least `minPixels` apart; the first and
/// the last value of the range are always there and push neighbours that come too close.
[[nodiscard]] std::vector<double> niceTicks(const Axis& axis, double minPixels, TickBase base);

/// Multiples of the nice step in sight, and the ends of the content where they are in sight; multiples
/// too close to an end give way to it. For axes whose visible ends carry no meaning (addresses).
[[nodiscard]] std::vector<double> gridTicks(const Axis& axis, double minPixels, TickBase base);

}  // namespace memplan::ui

// SPDX-License-Identifier: Apache-2.0
// The one form of an interval: half-open, [begin, end).
#pragma once

// <compare> comes with <functional>: Qt 6.4's moc cannot parse it as the first header of a file.
#include <functional>

namespace memplan {

template <class T> struct Interval {
    T begin{};
    T end{};

    [[nodiscard]] constexpr T size() const { return end - begin; }
    [[nodiscard]] constexpr bool isEmpty() const { return !(begin < end); }
    [[nodiscard]] constexpr bool contains(T v) const { return begin <= v && v < end; }
    [[nodiscard]] constexpr bool overlaps(Interval o) const { return begin < o.end && o.begin < end; }
    [[nodiscard]] constexpr bool isWithin(Interval o) const { return o.begin <= begin && end <= o.end; }
    friend constexpr auto operator<=>(const Interval&, const Interval&) = default;
};

}  // namespace memplan

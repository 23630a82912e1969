// SPDX-License-Identifier: GPL-3.0-or-later
// A long range of addresses that nothing uses is drawn short, so that the buffers below it can be read: the scale of
// the address axis is broken there, and the axis says so. The limits above stay in sight.
#pragma once

#include "engine/plan/plan.h"

namespace memplan::ui {

/// Piecewise linear scale: a byte is one unit below `begin`, the range [begin, end) takes `width` units, and a byte
/// above it `above` units. Without a fold a byte is one unit everywhere.
struct AddressFold {
    double begin = 0, end = 0;  ///< addresses, bytes
    double width = 0;           ///< units
    double above = 1;           ///< units per byte

    [[nodiscard]] bool isFolded() const { return end > begin; }
    [[nodiscard]] double toScale(double address) const;
    [[nodiscard]] double toAddress(double units) const;
    friend bool operator==(const AddressFold&, const AddressFold&) = default;
};

/// The fold for a memory whose addresses are in use up to `top` (bytes); none when that is more than a quarter of the
/// `usable` ones, or nothing.
[[nodiscard]] AddressFold foldAbove(Bytes top, Bytes usable, Bytes physical);

}  // namespace memplan::ui

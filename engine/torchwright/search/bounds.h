// SPDX-License-Identifier: Apache-2.0
// Numbers of layers that no schedule goes below (torchwright.md 17), with chains kept together and Linears routed as
// the options say.
//
// The units that cannot stand in the first `a` layers nor in the last `b` share what the layers between offer: what
// they take together of heads, slots or columns, divided by what one layer has, needs so many layers beside a + b. The
// bound is the largest over all a and b; a = b = 0 is the plain sum over capacity.
#pragma once

#include "engine/torchwright/search/units.h"

namespace memplan::torchwright {

struct LayerBounds {
    int ofOrder = 0;    ///< longest way through the units: the ASAP bound, with hints that keep nodes back
    int ofSlots = 0;    ///< hidden slots between first and last layers
    int ofHeads = 0;    ///< heads of operations, and of the cancels that births of values need
    int ofColumns = 0;  ///< columns over the layers in which a value is held at least

    int ofProof = 0;  ///< every way to fill fewer layers was looked at (proof.h); 0 = not tried, or given up

    [[nodiscard]] int best() const;
    /// "order", "slots", "heads", "columns" or "proof": the largest; of equal ones the first.
    [[nodiscard]] std::string_view strongest() const;
    friend bool operator==(const LayerBounds&, const LayerBounds&) = default;
};

[[nodiscard]] LayerBounds layerBoundsOf(const UnitModel& model);

}  // namespace memplan::torchwright

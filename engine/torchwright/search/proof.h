// SPDX-License-Identifier: Apache-2.0
// Looks at every way to fill one layer after another (torchwright.md 17): proves that no schedule has a number of
// layers, or finds one. Alike chains are only counted, a state that was seen in an earlier layer is not looked at
// again, and what is left bounds the layers still needed. It leaves out what makes a layer fuller than its operations
// (cancels, addends that live on), and counts the columns of a chain that can be broken as bounds.h does: its "no" is
// final, what it finds may be overfull.
#pragma once

#include "engine/base/run_control.h"
#include "engine/torchwright/search/alike_chains.h"

namespace memplan::torchwright {

/// About schedules of `layers` layers or fewer. `mostFills`: chains that are given something in a layer, all ways
/// together; beyond them nothing is known.
[[nodiscard]] LayerAnswer fillAll(const UnitModel& model, const std::vector<ChainClass>& classes, int layers,
                                  std::int64_t mostFills, const RunControl& control);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Units one after the other, a layer each, in the order that holds the fewest columns (torchwright.md 17): where
// nothing else compiles, the search starts from it.
#pragma once

#include "engine/torchwright/search/layer_search.h"

namespace memplan::torchwright {

/// Depth first from the outputs: what a value needs is computed just before it, the inputs that need most columns
/// first. Its layers may be more than max_layers and overfull.
[[nodiscard]] LayerPlan serialPlan(const UnitModel& model);

}  // namespace memplan::torchwright

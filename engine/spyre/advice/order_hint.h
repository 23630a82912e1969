// SPDX-License-Identifier: Apache-2.0
// "Keep this order" (scratchpad 14.2): the order of a finished plan as a hint that repeats it.
#pragma once

#include "engine/plan/plan.h"

#include <vector>

namespace memplan::spyre {

/// The hint op_order that repeats the order re-ordering found; empty when there is none that does.
[[nodiscard]] std::vector<Hint> orderAsHint(const Plan& plan);

}  // namespace memplan::spyre

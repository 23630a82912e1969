// SPDX-License-Identifier: Apache-2.0
// Policy GreedyBeam (ttnn-optimizer 12.4).
#pragma once

#include "engine/ttnn/solution/solution.h"

namespace memplan::ttnn {

/// Never slower, and with no fewer sharded operations, than DFSharding, whose solution it is where the beam finds none
/// such.
[[nodiscard]] Solution greedyBeam(const PolicyInput& input);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Policy GreedyBeam (ttnn-optimizer 12.4).
#pragma once

#include "engine/ttnn/solution/solution.h"

namespace memplan::ttnn {

[[nodiscard]] Solution greedyBeam(const PolicyInput& input);

}  // namespace memplan::ttnn

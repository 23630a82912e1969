// SPDX-License-Identifier: Apache-2.0
// Policy Global (ttnn-optimizer 12.5): the best of the other policies, improved as a whole.
#pragma once

#include "engine/ttnn/solution/solution.h"

namespace memplan::ttnn {

/// Never slower, and with no fewer sharded operations, than DFSharding. Deterministic; a passed deadline ends the
/// search with the best solution so far.
[[nodiscard]] Solution globalPolicy(const PolicyInput& input);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// The Spyre pipeline as data (pipeline.md 1).
#pragma once

#include "engine/spyre/pass.h"

#include <vector>

namespace memplan::spyre {

/// In run order, the rows above steps included.
[[nodiscard]] const std::vector<Pass>& pipeline();

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The seven target patterns of scratchpad 13: small programs on which solvers are distinguished, with the traffic
// that a good plan reaches.
#pragma once

#include "engine/solve/pattern.h"

#include <vector>

namespace memplan::solve {

/// All seven, in the order of the chapter. `capacity` is the planner's, in bytes.
[[nodiscard]] std::vector<Pattern> targetPatterns(Bytes capacity);

/// Free renaming (chapter 14.1a): from each write that does not read the buffer on, it is a new buffer `name.k`.
[[nodiscard]] Pattern withFreeRenaming(const Pattern& pattern);

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// "Compact addresses" (scratchpad 14.8): what a finished plan has, as hints that repeat it.
#pragma once

#include "engine/graph/graph.h"
#include "engine/plan/plan.h"

#include <string>
#include <vector>

namespace memplan::advice {

struct CompactedPlan {
    std::vector<Hint> hints;              ///< `address` for every on-chip buffer that a hint can name
    std::vector<std::string> lowered;     ///< names of the buffers that moved down
    std::vector<std::string> cannotName;  ///< on-chip buffers that no hint can name: they stay where they are
    Bytes peakBefore = 0, peakAfter = 0;  ///< highest address + size
};

/// Re-packs the on-chip buffers in the order of their addresses; none gets a higher one, all stay on chip. Buffers with
/// an enabled `address` hint stay where they are. Nothing in `lowered`: there is nothing to close.
[[nodiscard]] CompactedPlan compactPlan(const Plan& plan);

}  // namespace memplan::advice

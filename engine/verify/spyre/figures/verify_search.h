// SPDX-License-Identifier: Apache-2.0
// Checks of what a plan says about its search for divisions and about its estimated time. Shares no code with the
// planners.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan {

/// VER-013 where the trace or the estimate contradicts the plan's own operations and metrics.
[[nodiscard]] std::vector<Diagnostic> verifySearch(const Plan& plan);

/// A compile that stopped before the memory was planned states no metrics (command-line, `--stop-after`).
[[nodiscard]] bool statesNoMetrics(const Plan& plan);

}  // namespace memplan

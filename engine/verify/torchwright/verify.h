// SPDX-License-Identifier: Apache-2.0
// The independent validator of torchwright plans: it replays the layers over the columns and recomputes every claimed
// figure. Of the planner it sees plain values alone.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify::torchwright {

/// Violations; empty for a sound plan, and for one that was stopped before there was a schedule.
[[nodiscard]] std::vector<Diagnostic> checkPlan(const Plan& plan);

}  // namespace memplan::verify::torchwright

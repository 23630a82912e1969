// SPDX-License-Identifier: Apache-2.0
// When owners hold their columns, in positions of the plan's operations.
#pragma once

#include "engine/base/interval.h"
#include "engine/plan/plan.h"
#include "engine/torchwright/compile/planned_ops.h"

#include <vector>

namespace memplan::torchwright {

struct ColumnLife {
    StepRange life;
    NodeId takesOver;  ///< the addend whose columns it adds onto; invalid for none
};

/// Parallel to the holdings of the schedule. A life ends where another owner takes a column, with the operation that
/// clears them, or with the plan.
[[nodiscard]] std::vector<ColumnLife> columnLives(const Schedule& schedule, const std::vector<PlannedOp>& ops);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// The order in which a plan's ops run, as a tree of loops (proof-and-search A3).
#pragma once

#include "engine/plan/plan.h"
#include "engine/plan/spyre_data.h"
#include "engine/sim/record/record.h"

#include <vector>

namespace memplan::spyre {

/// Makes room for a buffer and computes nothing.
[[nodiscard]] bool isAllocation(const PlanOp& op);

/// The plan's tree of loops with what only makes room at its place in the list of ops. Needs spyreData(plan).loops.
[[nodiscard]] std::vector<sim::RecordStep> recordSteps(const Plan& plan);

}  // namespace memplan::spyre

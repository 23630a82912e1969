// SPDX-License-Identifier: Apache-2.0
// The execution record of a plan file against the plan that it stands in (proof-and-search A3): a simulation runs the
// record, so that it has to say what the plan says.
#pragma once

#include "engine/plan/plan.h"
#include "engine/verify/report.h"

namespace memplan::verify {

/// VER-013 where the record has other buffers, operations, loops, kernels, addresses or traffic than the plan.
/// Functions, and how addresses advance with loops, are left to the simulation; what the plan does not state is not
/// compared. Nothing for a plan without a record.
void checkRecordFacts(const Plan& plan, Report& report);

}  // namespace memplan::verify

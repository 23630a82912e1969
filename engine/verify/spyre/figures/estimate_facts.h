// SPDX-License-Identifier: Apache-2.0
// The estimated time and the trace of the search for divisions against the operations and kernels of the plan
// (spyre-cost-and-co-optimisation 8; spyre-scratchpad 11). The prices themselves are a ranking aid and not recomputed.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for a kernel, operation, trip count, byte count or term that the plan does not have, for options, counts
/// and changes of the search that contradict each other.
void checkEstimateFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// The remaining figures of the key `metrics`, recomputed (command-line, "Plan file"; spyre-layouts-and-work-division
// 15).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for every count, share and flag that the plan does not give.
void checkMetricFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

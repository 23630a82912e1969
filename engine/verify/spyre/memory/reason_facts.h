// SPDX-License-Identifier: Apache-2.0
// Is the reason of every buffer in main memory the first one of the table that holds (codes.md 1;
// spyre-scratchpad 3.4)? The validator's own reading of each condition.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for a reason that does not hold, that comes after another one that does, or that belongs to another target.
void checkReasons(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

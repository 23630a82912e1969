// SPDX-License-Identifier: Apache-2.0
// What it would cost that LX is wiped between kernels (spyre-scratchpad 14.6).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 where the price of a kernel boundary, in main-memory bytes, is not that of the pinned buffers that cross it.
/// Nothing for a plan without decisions, which hold the prices, and under spyre.safe_boundaries: there the price was
/// paid, and the plan without it is gone.
void checkBoundaryFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

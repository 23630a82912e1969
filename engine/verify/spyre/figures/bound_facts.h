// SPDX-License-Identifier: Apache-2.0
// The bounds that a Spyre plan states beside itself (spyre-scratchpad 8), recomputed from its buffers: the validator's
// own reading of L(t), of the cheapest set of buffers to give up, and of what follows for the bytes that can be pinned.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for a bound that some placement of these candidates breaks, that contradicts another one, or that is not the
/// one the candidates give; for a flag `proved_optimal` that the bound does not bear out.
void checkBounds(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

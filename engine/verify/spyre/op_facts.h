// SPDX-License-Identifier: Apache-2.0
// What a Spyre plan says of each operation, recomputed from its accesses, splits and the buffers they access
// (spyre-layouts-and-work-division 8, 13, 14; spyre-scratchpad 12).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for operands, kind, sticks, slices, bytes and the pass that made an op; VER-008 for an index that leaves its
/// buffer, VER-012 for trip counts below one.
void checkOpFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

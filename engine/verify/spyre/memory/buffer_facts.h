// SPDX-License-Identifier: Apache-2.0
// What a Spyre plan says of each buffer, recomputed from the operations that access it (spyre-scratchpad 3.1 - 3.3;
// spyre-layouts-and-work-division 2).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for producer, users, lifetime, sizes, role, space and saved bytes, VER-008 for a layout that is not one of
/// the buffer's shape and type.
void checkBufferFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

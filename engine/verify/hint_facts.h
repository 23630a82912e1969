// SPDX-License-Identifier: Apache-2.0
// Do the plan and its hints agree: what a hint in the state `applied` asks for is so, and every named slice of an
// operation comes from a hint (hints.md 3, 4.1; spyre-coarse-tiling-and-bundle 2.3).
#pragma once

#include "verify/reading.h"
#include "verify/report.h"

namespace memplan::verify {

/// VER-013 for each contradiction.
void checkHintFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// What a plan says of how it was made: passes, hints and their states, solver, the hash over its content (hints.md 3;
// command-line, "Plan file").
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for a hint whose state and reason contradict each other or the diagnostics, for parts of passes that did not
/// run, a solver that the settings do not name, and a hash that is not the plan's.
void checkPlanFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

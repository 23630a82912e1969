// SPDX-License-Identifier: Apache-2.0
// What the execution record of a plan file adds to positions and addresses (proof-and-search A3): functions, the
// graph's operations behind them, how addresses advance with loops, where results lie.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for every part, function, source, advance or result of the record that is not the plan's and the graph's.
/// Nothing where the plan has no record.
void checkRecordMeaning(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// target_data.ops of a Spyre plan against its operations: ranges, splits as encoded, tiling
// (spyre-coarse-tiling-and-bundle 3, 8.3, 19; spyre-layouts-and-work-division 13).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for every entry that is not what the operation and its splits give.
void checkTargetFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

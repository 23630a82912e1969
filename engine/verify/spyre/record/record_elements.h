// SPDX-License-Identifier: Apache-2.0
// Which elements of a graph tensor the accesses of an execution record mean (proof-and-search A3, `denotes`).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// Reports (VER-013) an access whose `element` is not what its buffer holds at its index: a buffer of a graph tensor
/// holds it row by row, a tile the same of one tile, and a copy what its source held. Only plans with a record, a
/// graph.
void checkRecordElements(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

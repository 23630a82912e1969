// SPDX-License-Identifier: Apache-2.0
// May a buffer take over the slot of another one: by the index maps of the op that reads the one and writes the other
// (spyre-scratchpad 3.5, 4).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-004 for every taken slot whose op does not read the parent by the very index it writes the child by, whose
/// layouts differ, or that stands at a buffer off chip.
void checkInPlace(const PlanReading& reading, Report& report);

/// The op finds parent and child in equal layouts and reads every element of the one where it writes the other.
[[nodiscard]] bool fitsInPlace(const Plan& plan, OpId writer, BufferId parent, BufferId child);

}  // namespace memplan::verify

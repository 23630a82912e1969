// SPDX-License-Identifier: Apache-2.0
// Do the plan and its hints agree: what a hint in the state `applied` asks for is so, and every named slice of an
// operation comes from a hint (hints.md 3, 4.1; spyre-coarse-tiling-and-bundle 2.3).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

#include <cstdint>
#include <set>

namespace memplan::verify {

/// VER-013 for each contradiction.
void checkHintFacts(const PlanReading& reading, Report& report);

/// Positions of dimensions that enabled hints manual_groups name at any level (hints.md, coarse-tiling 3.1).
[[nodiscard]] std::set<std::int64_t> dimsByHand(const Plan& plan);

}  // namespace memplan::verify

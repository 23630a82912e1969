// SPDX-License-Identifier: Apache-2.0
// Figures of a finished plan (spyre-scratchpad 12, spyre-layouts-and-work-division 15,
// user-experience appendix A.6 and A.7).
#pragma once

#include "engine/plan/plan.h"

namespace memplan {

/// Peak, live bytes per step and the step of the highest, from the placements in `plan`.
void fillOccupancy(Plan& plan);

/// Traffic, pinned and unpinned bytes, utilisation, shares; expects ops, buffers and memory to be there.
/// `spanLimit`: bytes of device memory that one core reaches; operations above it are counted.
void fillMetrics(Plan& plan, Bytes spanLimit);

/// 1 - largest free block / all free bytes below the usable limit at a step; 0 with no free byte (A.6).
[[nodiscard]] double fragmentationAt(const Plan& plan, Step step);

}  // namespace memplan

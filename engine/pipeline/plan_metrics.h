// SPDX-License-Identifier: Apache-2.0
// Figures of a finished plan (scratchpad 12, layouts-and-work-division 15,
// user-experience appendix A.6 and A.7).
#pragma once

#include "engine/plan/plan.h"

namespace memplan {

/// Live bytes per step, both peaks and the worst fragmentation, from the placements in `plan`.
void fillOccupancy(Plan& plan);

/// What a machine has of what an operation may use.
struct MetricLimits {
    std::int64_t cores = 1;  ///< that may be used
    Bytes spanLimit = 0;     ///< bytes of device memory that one core reaches; operations above it are counted
};

/// Traffic, pinned and unpinned bytes, utilisation, shares; expects ops, buffers and memory to be there.
void fillMetrics(Plan& plan, const MetricLimits& limits);

}  // namespace memplan

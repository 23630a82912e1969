// SPDX-License-Identifier: Apache-2.0
// Figures about divided operations (spyre-layouts-and-work-division 15).
#pragma once

#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/program.h"

#include <string>
#include <vector>

namespace memplan::spyre {

struct TensorMetrics {
    BufferId buffer;
    Bytes span = 0;              ///< of one core
    double spanHeadroom = 0;     ///< 1 - span / limit, negative above the limit
    Bytes perCoreBytes = 0;      ///< device bytes of one core's slice
    std::int64_t broadcast = 1;  ///< cores that read the same slice
};

struct OpMetrics {
    std::int64_t coresUsed = 1;
    double utilisation = 0;  ///< coresUsed / cores
    std::int64_t idleCores = 0;
    double lostFactor = 1;                ///< cores / coresUsed
    double balance = 1;                   ///< fewest / most elements of a core
    std::vector<double> stickEfficiency;  ///< per stick loop in space order: extent / (sticks * elements)
    std::vector<TensorMetrics> tensors;   ///< reads in read order, then the output
    std::int64_t kHops = 0;               ///< partial-sum hops of a split reduction loop
    double work = 0;                      ///< product of the extents
};

struct MetricsRule {
    int cores = 32;
    Bytes spanLimit = 268'435'456;
    CoreMapOptions coreMap;
};

/// Figures of an op; one without iteration space gives one core and no tensors.
[[nodiscard]] OpMetrics opMetrics(const Program& program, OpId op, const MetricsRule& rule);

struct DivisionMetrics {
    double utilisation = 0;      ///< mean over the computed ops, weighted by work
    int opsBelowHalf = 0;        ///< computed ops on less than half of the cores
    int opsOverSpan = 0;         ///< computed ops with a tensor above the span limit
    int mismatches = 0;          ///< buffers that their users divide differently (spyre-scratchpad 3.3)
    double restickifyShare = 0;  ///< elements restickified / device elements of all buffers
    double paddingShare = 0;     ///< 1 - host elements / device elements
};

[[nodiscard]] DivisionMetrics divisionMetrics(const Program& program, const MetricsRule& rule);

}  // namespace memplan::spyre

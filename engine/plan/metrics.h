// SPDX-License-Identifier: Apache-2.0
// The on-chip memory of a plan and its figures.
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

struct OccupancyPoint {
    Step step = 0;
    Bytes bytes = 0;
    friend bool operator==(const OccupancyPoint&, const OccupancyPoint&) = default;
};

struct PlanMemory {
    Bytes capacity = 0;  ///< usable by the planner, per core
    Bytes physical = 0;  ///< whole memory of a core
    Bytes alignment = 1;
    Bytes peak = 0;      ///< highest address + size in use
    Bytes livePeak = 0;  ///< largest sum of live on-chip bytes
    Step livePeakStep = 0;
    std::vector<OccupancyPoint> occupancy;  ///< one per op position
    std::vector<Bytes> boundPerStep;        ///< L(t) of the candidates
};

struct PlanMetrics {
    Bytes mainMemoryReadBytes = 0;
    Bytes mainMemoryWriteBytes = 0;
    std::int64_t mainMemoryElements = 0;
    Bytes unpinnedBytes = 0;                      ///< each buffer that is not pinned once
    Bytes pinnedBytes = 0;                        ///< per core
    Bytes upperBoundBytes = 0;                    ///< no plan of these candidates pins more
    bool provedOptimal = false;                   ///< pinned equals the bound
    Bytes peakLowerBound = 0;                     ///< no plan that pins every candidate peaks below
    Bytes spillLowerBound = 0;                    ///< at least so many candidate bytes stay off chip
    double coreUtilisation = 0;                   ///< work-weighted mean, 0..1
    std::optional<double> estimatedMicroseconds;  ///< ranks plans of one graph, no forecast
    int buffersOnChip = 0;
    int buffersTotal = 0;
    double fragmentationMax = 0;
    int opsBelowHalf = 0, opsOverSpan = 0, mismatches = 0;
    double restickifyShare = 0, paddingShare = 0;
    /// Figures that only its machine has: key of the plan file and value, by key.
    std::vector<std::pair<std::string, double>> own;

    /// Main-memory bytes of a run, in both directions.
    [[nodiscard]] Bytes traffic() const { return mainMemoryReadBytes + mainMemoryWriteBytes; }
};

}  // namespace memplan

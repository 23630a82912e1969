// SPDX-License-Identifier: Apache-2.0
// How much of the on-chip memory is in use over the schedule. Every view, report and metric takes its peaks, free bytes
// and fragmentation from here (user-experience 7.3, 7.9, appendix A.6).
#pragma once

#include "engine/plan/plan.h"

#include <functional>
#include <optional>
#include <vector>

namespace memplan {

/// Addresses [begin, begin + size) while they are live.
struct UsedBlock {
    StepRange life;
    Address begin = 0;
    Bytes size = 0;
};

/// The memory at one step.
struct MemoryUse {
    Bytes live = 0;         ///< bytes in use; addresses of two buffers, as of an in-place pair, count once
    Address top = 0;        ///< no address at or above it is in use
    Bytes free = 0;         ///< bytes below the limit, and below `top`, that are not in use
    Bytes largestFree = 0;  ///< longest run of them
    /// 1 - largestFree / free; 0 where nothing is free.
    [[nodiscard]] double fragmentation() const;
};

/// The highest figures of some steps, each with its step: the first of several, and for the highest address the one
/// with the most live bytes. So both peaks have one step where they are equal.
struct PeakUse {
    Address top = 0;
    Step topStep = 0;
    Bytes live = 0;
    Step liveStep = 0;
    double fragmentation = 0;
    Step fragmentationStep = 0;
    void add(Step step, const MemoryUse& use);

private:
    Bytes liveAtTop_ = 0;
};

/// The placed buffers of the plan, those without an address left out.
[[nodiscard]] std::vector<UsedBlock> usedBlocks(const Plan& plan);

/// Calls `visit` for each run of steps of equal use, from the first begin of a block to the last end, in order.
/// O(n log n) for n blocks.
void sweepUse(const std::vector<UsedBlock>& blocks, Bytes limit,
              const std::function<void(StepRange, const MemoryUse&)>& visit);
/// The same for steps 0 to `steps` - 1, one by one.
[[nodiscard]] std::vector<MemoryUse> usePerStep(const std::vector<UsedBlock>& blocks, Step steps, Bytes limit);
/// At one step of the plan, below its usable limit.
[[nodiscard]] MemoryUse useAt(const Plan& plan, Step step);
/// Over the whole plan.
[[nodiscard]] PeakUse peakUse(const Plan& plan);
/// `topStep` of it, from the peak and the occupancy that the plan states: linear, for views that show no more.
[[nodiscard]] Step peakStep(const Plan& plan);

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// Who accesses what and when, read once from the ops of a plan for every check of the verifier.
#pragma once

#include "engine/plan/plan.h"
#include "engine/verify/spyre/reading/loops.h"

#include <vector>

namespace memplan::verify {

/// One op's use of a buffer.
struct Use {
    OpId op;
    bool reads = false;
    bool writes = false;
};

class PlanReading {
public:
    explicit PlanReading(const Plan& plan);

    const Plan& plan;
    const LoopReading loops;

    /// The ops that access the buffer, in order, each once.
    [[nodiscard]] const std::vector<Use>& uses(BufferId id) const { return uses_[id.at()]; }
    /// First to last use; what was written before a loop and is read in it lives until the loop ends
    /// (spyre-scratchpad 3.1). Parallel to the buffers.
    [[nodiscard]] const std::vector<StepRange>& lives() const { return lives_; }
    [[nodiscard]] StepRange life(BufferId id) const { return lives_[id.at()]; }
    [[nodiscard]] bool isOn(BufferId id) const { return isOnChip(plan.buffer(id).space); }
    /// The first op that writes the buffer and is no allocation; invalid where there is none.
    [[nodiscard]] OpId writer(BufferId id) const;
    /// The op says by which index it accesses its buffers (key `x_accesses`). An op without buffers has none to say.
    [[nodiscard]] static bool statesAccesses(const PlanOp& op);

private:
    Use& note(BufferId buffer, OpId op);
    [[nodiscard]] StepRange lifeOf(BufferId id) const;

    std::vector<std::vector<Use>> uses_;
    std::vector<StepRange> lives_;
};

/// Outside of every check that follows: made by a pass of this program for the Spyre target, not read from the files of
/// another one, which record too little, nor from a list of buffers.
[[nodiscard]] bool isPlannedHere(const Plan& plan);

/// Divided over cores and described by an OpSpec: no outside kernel, constant or allocation.
[[nodiscard]] bool isComputed(const PlanOp& op);

/// Elements of a shape, at most INT64_MAX; negative extents count as 0.
[[nodiscard]] std::int64_t elementsOf(const std::vector<std::int64_t>& shape);

/// The loop's extent over all iterations of the loops around the op that tile it.
[[nodiscard]] std::vector<std::int64_t> wholeExtents(const Plan& plan, OpId op);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// What the loops of a plan mean for its buffers, recomputed from ops and accesses alone: the validator's own
// reading of spyre-scratchpad 3.1, 12 and spyre-coarse-tiling-and-bundle 3, 4, 6, 7, 14.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify {

class LoopReading {
public:
    explicit LoopReading(const Plan& plan);

    /// Room for other ops to fill: writes nothing.
    [[nodiscard]] static bool isAllocation(const PlanOp& op) { return op.kind == "extern" && op.type == "empty"; }
    /// How often the op moves the whole buffer; the most of its accesses.
    [[nodiscard]] std::int64_t trips(OpId op, BufferId buffer, bool write) const;
    /// How often the loops around an op repeat what one access moves.
    [[nodiscard]] std::int64_t tripsOf(OpId op, const PlanAccess& access) const;
    [[nodiscard]] std::int64_t tripsWithoutAccesses(OpId op) const;
    /// The access moves with a loop.
    [[nodiscard]] bool advances(OpId op, const PlanAccess& access) const;
    /// Every iteration uses the same bytes of the buffer.
    [[nodiscard]] bool holdsOneTile(BufferId buffer) const { return oneTile_[buffer.at()]; }
    /// One past the last op of the outermost loop that holds `reader` and not `writer`; 0 when there is none.
    [[nodiscard]] Step endOfLoopWithout(OpId reader, OpId writer) const;

    /// Steps for which it needs its place in the pool; `life` is its lifetime without loops.
    [[nodiscard]] StepRange poolLife(BufferId id, StepRange life) const;

    /// Trip counts, contiguity, coverage of full buffers, tree, kernels and pool. `life` is each buffer's real
    /// lifetime, parallel to the buffers.
    [[nodiscard]] std::vector<Diagnostic> check(const std::vector<StepRange>& life) const;

private:
    const Plan& plan_;
    std::vector<bool> oneTile_;  ///< per buffer: every iteration uses the same bytes

    [[nodiscard]] bool movesAt(OpId op, const PlanAccess& access, std::size_t level) const;
    void checkPaths(std::vector<Diagnostic>& found) const;
    void checkCoverage(OpId op, std::vector<Diagnostic>& found) const;
    void checkTree(std::vector<Diagnostic>& found) const;
    void checkKernels(std::vector<Diagnostic>& found) const;
    void checkPool(const std::vector<StepRange>& life, std::vector<Diagnostic>& found) const;
};

}  // namespace memplan::verify

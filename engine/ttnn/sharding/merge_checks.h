// SPDX-License-Identifier: Apache-2.0
// What must hold before the output of a chain stays in L1 for an operation of another one (ttnn-optimizer 6.5).
#pragma once

#include "engine/ttnn/sharding/sharding_state.h"

#include <utility>
#include <vector>

namespace memplan::ttnn {

/// The last operation of chain `source` is read at `operand` by `join`, the operation `index` of chain `target`.
struct MergeCandidate {
    int source = -1, target = -1;
    std::size_t index = 0;
    OperationId join;
    int operand = 0;
};

class MergeChecks {
public:
    explicit MergeChecks(ShardingState& state) : state_(state) {}

    [[nodiscard]] Resident resident(int source) const;
    /// Source of the candidate: one reader, no wish for DRAM; the join: no wish against merges.
    [[nodiscard]] Outcome mayMerge(const MergeCandidate& candidate) const;
    [[nodiscard]] bool isForbidden(const MergeCandidate& candidate) const;

    /// Operations of a chain from `first` to before `end`, as chosen, with `held` besides.
    [[nodiscard]] Outcome chain(int chain, std::pair<std::size_t, std::size_t> range, std::span<const Resident> held);
    /// The join with the sources as its operands; `held` are those that count besides what is reserved.
    [[nodiscard]] Outcome join(std::span<const MergeCandidate> sources, std::span<const Resident> held);
    /// The operation behind the join: what the join has given was placed below its operands and stays there when these
    /// are freed, so that their bytes still count.
    [[nodiscard]] Outcome fragmentation(const MergeCandidate& candidate, std::span<const Resident> held);
    /// Positions from behind `after` to before `before`.
    [[nodiscard]] Outcome between(OperationId after, OperationId before, std::span<const Resident> held);

private:
    ShardingState& state_;
};

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Price of trial divisions by the performance model (spyre-cost-and-co-optimisation 10): kernels and arguments are
// fixed, divisions and residency change.
#pragma once

#include "engine/spyre/cost/report.h"
#include "engine/spyre/scratchpad/search/division_trial.h"

#include <functional>
#include <vector>

namespace memplan::spyre {

class DivisionPrice {
public:
    /// `program` and `options` have to outlive it.
    DivisionPrice(const Program& program, const DivisionOptions& options, bool fuse, cost::Model model = {});

    /// Millionths of a microsecond, the sum over the kernels. Not for use from several threads at once.
    [[nodiscard]] std::int64_t ticks(const std::vector<int>& chosen, const std::function<bool(BufferId)>& inLx) const;

    /// Nanoseconds of each op under each option alone, its buffers that `inLx` names on chip.
    [[nodiscard]] std::vector<std::vector<std::int64_t>> aloneNs(const std::function<bool(BufferId)>& inLx) const;

private:
    void choose(std::size_t op, int option) const;

    const Program& program_;
    const DivisionOptions& options_;
    cost::Model model_;
    std::vector<std::vector<std::size_t>> kernels_;
    mutable std::vector<int> at_;                              ///< option that `work_` holds, -1 = none
    mutable std::vector<std::vector<cost::OpFeatures>> work_;  ///< per kernel
    std::vector<std::pair<std::size_t, std::size_t>> place_;   ///< per op: kernel and position in it
};

}  // namespace memplan::spyre

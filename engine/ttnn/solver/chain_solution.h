// SPDX-License-Identifier: Apache-2.0
// A chain of operations, solved with the OpModel (ttnn-optimizer 5).
#pragma once

#include "engine/ttnn/solution/solution.h"
#include "engine/ttnn/solver/chain_checks.h"

#include <optional>
#include <span>
#include <vector>

namespace memplan::ttnn {

/// What is asked of the solver for one chain.
struct ChainQuestion {
    std::span<const OperationId> ops;    ///< in order
    std::span<const Reshard> overrides;  ///< by hand; those on other operations are passed over
    std::optional<MemLayout> preferred;  ///< of the last output
    int chain = -1;
};

struct ChainSolution {
    SolverResult result;             ///< its edges hold the chosen reshard layout
    std::vector<OpConfig> configs;   ///< by operation of the chain; empty after a failure
    std::vector<Reshard> reshards;   ///< with all candidates for the selected configuration
    std::vector<Refusals> refusals;  ///< by edge of `result`
    ChainCounters counters;
    [[nodiscard]] std::optional<ChainFailure> failure() const;
};

[[nodiscard]] ChainSolution solveChain(const SolverContext& context, const ChainQuestion& question);

}  // namespace memplan::ttnn

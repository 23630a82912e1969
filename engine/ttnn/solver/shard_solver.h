// SPDX-License-Identifier: Apache-2.0
// ShardSolver: one sharded configuration for each operation of a chain (ttnn-optimizer 5). What fits what is asked
// through an interface: of the OpModel (chain_checks.h), or of given tables.
#pragma once

#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/solver/config_set.h"
#include "engine/ttnn/solver/solver_problem.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::ttnn {

/// Reshard layouts that each configuration of the consumer accepts, as numbers of candidates, in their order (5.4).
using ReshardTable = std::map<int, std::vector<int>>;

/// What the solver asks. `edge` counts SolverProblem::edges; kEntryEdge is operand 0 of the first operation.
inline constexpr int kEntryEdge = -1;
class ShardChecks {
public:
    ShardChecks() = default;
    ShardChecks(const ShardChecks&) = delete;
    ShardChecks& operator=(const ShardChecks&) = delete;
    virtual ~ShardChecks() = default;
    /// Configurations of the first operation that run with operand 0 in DRAM (5.3).
    virtual ConfigSet entryConfigs() = 0;
    /// Pairs that fit each other, producers ascending (5.5).
    virtual std::vector<ConfigPath> paths(int edge, const ConfigSet& producers) = 0;
    /// Candidates for a conversion on the edge; empty where none fits.
    virtual ReshardTable reshards(int edge) = 0;
};

/// What became of the configurations of one operation.
struct SolvedOp {
    int selected = -1;
    std::vector<double> acc;                 ///< core usage by configuration (5.6); empty after a failure
    std::vector<std::int32_t> clearedEdge;   ///< position in SolverResult::edges, -1 alive, -2 never valid
    std::vector<std::int32_t> clearedRound;  ///< of propagation; 0: at the check of that edge
};
struct SolvedEdge {
    EdgeInfo info;  ///< without reshard layout: that is the caller's
    ReshardTable table;
    /// Candidates for the selected configuration; none where there is no reshard.
    [[nodiscard]] const std::vector<int>* candidates() const;
};
struct SolverResult {
    bool isSolved = false;
    int failedEdge = 0;       ///< position in `edges`
    std::string failedStage;  ///< entry, edge, propagation, selection
    std::vector<SolvedOp> ops;
    std::vector<SolvedEdge> edges;  ///< the entry edge, then those of the problem
    std::int64_t cores = 0;         ///< of the selected configurations
    std::int64_t edgesChecked = 0, rounds = 0;
    std::vector<std::int64_t> visits;  ///< by operation, in propagation
    std::vector<TraceEvent> trace;
};

[[nodiscard]] SolverResult solveShards(const SolverProblem& problem, ShardChecks& checks);

}  // namespace memplan::ttnn

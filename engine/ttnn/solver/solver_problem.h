// SPDX-License-Identifier: Apache-2.0
// What the ShardSolver is given: the operations of a chain, their configurations and the edges between them
// (ttnn-optimizer 5.1).
#pragma once

#include "engine/ttnn/machine/chains.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace memplan::ttnn {

/// Of the sharded output layout of a configuration.
struct SolverConfig {
    std::int64_t cores = 1;
    MemLayout mem = MemLayout::HeightSharded;
};
struct SolverOp {
    OperationId id;
    std::vector<SolverConfig> configs;
};
/// From one operation of the chain to a later one; positions in the chain.
struct SolverEdge {
    std::size_t from = 0, to = 0;
    int operand = 0;
    bool isOverride = false;  ///< a reshard stands here by hand (8.3)
};
struct SolverProblem {
    std::vector<SolverOp> ops;
    std::vector<SolverEdge> edges;
    bool isEntryOverride = false;        ///< a reshard stands before operand 0 of the first operation by hand
    bool forcesEntryReshard = false;     ///< convolutions (5.3)
    std::optional<MemLayout> preferred;  ///< of the last output (6.2)
    int chain = -1;                      ///< for record and trace
};

using ConfigPath = std::pair<std::uint16_t, std::uint16_t>;  ///< configurations of producer and consumer

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Core-usage maximisation (ttnn-optimizer 5.6).
#pragma once

#include "engine/ttnn/solver/config_set.h"
#include "engine/ttnn/solver/solver_problem.h"

#include <vector>

namespace memplan::ttnn {

/// Cores that each configuration of each operation leads to from there to the end of the chain. `alive` are the paths
/// of each edge that survived propagation.
[[nodiscard]] std::vector<std::vector<double>> accumulatedCores(const SolverProblem& problem,
                                                                const std::vector<std::vector<ConfigPath>>& alive);

/// The valid configuration with the most cores; on ties the first, but any other layout before block sharded. -1 for an
/// empty set.
[[nodiscard]] int mostCores(const SolverOp& op, const ConfigSet& valid, const std::vector<double>& acc);
/// The same among those of one memory layout; -1 where there is none. The first on ties.
[[nodiscard]] int mostCores(const SolverOp& op, const ConfigSet& valid, const std::vector<double>& acc, MemLayout mem);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Quadratic solvers written line by line after spyre-scratchpad 5, 6 and 7.1, sharing no code with the engine's. The
// engine must give the same addresses (performance-and-toolchain 5, target 1).
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <vector>

namespace memplan::testing {

[[nodiscard]] solve::Addresses oracleGreedy(const solve::Problem& problem);

enum class OracleFit { First, Best };
enum class OracleOrder { Lifetime, Scored };
[[nodiscard]] solve::Addresses oracleFit(const solve::Problem& problem, OracleFit fit, OracleOrder order);

/// Packer of 7.1 for an order of positions in problem.items (candidates only).
[[nodiscard]] solve::Addresses oraclePack(const solve::Problem& problem, const std::vector<int>& order);

/// Largest pinned bytes of any legal placement, by trying every subset and order of addresses that pushes down; for
/// problems of at most seven buffers without in-place parents.
[[nodiscard]] Bytes oracleMostPinned(const solve::Problem& problem);

}  // namespace memplan::testing

// SPDX-License-Identifier: Apache-2.0
// Least sum of costs of single variables and of pairs, by eliminating one variable after the other: the relaxation of
// the joint problem in which every buffer fits (spyre-cost-and-co-optimisation 15, cost tables).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"

#include <cstdint>
#include <vector>

namespace memplan::spyre::joint {

/// Cost of what must not be: sums stop here. Finite costs of a problem have to stay below it in sum.
inline constexpr std::int64_t kImpossible = 1'000'000'000'000'000'000;

struct PairCost {
    int a = -1, b = -1;
    std::vector<std::int64_t> table;  ///< the value of `a` outer
};

struct EliminationProblem {
    std::vector<std::vector<std::int64_t>> unary;  ///< per variable, cost of each value; none may be empty
    std::vector<PairCost> pairs;
};

/// Bounds in work, not in seconds, so that results do not depend on the machine.
struct EliminationLimits {
    std::int64_t entries = 1 << 20;   ///< of one table, the eliminated variable included
    std::int64_t work = 150'000'000;  ///< table entries of a round, each once for every factor
    int rounds = 4;                   ///< with other variables held, when some had to be
};

struct EliminationResult {
    std::vector<int> values;
    std::int64_t cost = 0;
    bool exact = true;  ///< no variable had to be held at its old value: the cost is the least there is
    std::int64_t work = 0;
};

/// Never worse than `start`. Where a table would pass the limits, the variable with the most neighbours keeps its
/// value, and other rounds hold others. A passed deadline ends with the best found; cancelling is an error.
[[nodiscard]] Result<EliminationResult> eliminate(const EliminationProblem& problem, std::vector<int> start,
                                                  const EliminationLimits& limits, const RunControl& control);

/// Cost of an assignment.
[[nodiscard]] std::int64_t costOf(const EliminationProblem& problem, const std::vector<int>& values);

}  // namespace memplan::spyre::joint

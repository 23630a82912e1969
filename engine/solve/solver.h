// SPDX-License-Identifier: Apache-2.0
// The uniform face of every address solver and the registry (architecture 6, settings.md 5).
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/problem/address_problem.h"
#include "engine/solve/problem/solution.h"

#include <span>
#include <string>
#include <string_view>

namespace memplan::solve {

class Solver {
public:
    virtual ~Solver() = default;
    [[nodiscard]] virtual std::string_view id() const = 0;
    [[nodiscard]] virtual std::string_view title() const = 0;
    [[nodiscard]] virtual std::string_view help() const = 0;
    /// Nothing fits is a solution; errors are invalid input, cancelled, internal.
    [[nodiscard]] virtual Result<Solution> solve(const Problem& problem, const SolverParams& params,
                                                 const RunControl& control) const = 0;
};

/// greedy, firstfit, bestfit, annealing, exact in this order.
[[nodiscard]] std::span<const Solver* const> allSolvers();
[[nodiscard]] const Solver* findSolver(std::string_view id);  ///< accepts original names; nullptr if unknown
/// The name of a solver in the original systems; its own where they call it the same.
[[nodiscard]] std::string originalName(std::string_view id);

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// The uniform face of every address solver and the registry (architecture 6, settings.md 5).
#pragma once

#include "engine/base/run_control.h"
#include "engine/base/search_trace.h"
#include "engine/solve/address_problem.h"

#include <span>
#include <string>
#include <string_view>

namespace memplan::solve {

enum class Ordering { Lifetime, Scored };
enum class Status { Complete, Optimal, Stopped };

struct SolverParams {
    Ordering ordering = Ordering::Lifetime;   ///< first-fit and best-fit
    std::uint64_t seed = 0;                   ///< annealing
    int annealingSteps = 0;                   ///< 0 = clamp(30n, 500, 5000)
    std::string annealingStart = "firstfit";  ///< firstfit, bestfit (both scored), greedy
    bool exactCostIsTraffic = false;          ///< exact: bytes (false) or traffic (true)
    bool mustPlaceAll = false;                ///< exact: only a placement of every buffer counts
};

struct Solution {
    Addresses addresses;             ///< null = stays in main memory
    std::vector<int> inPlaceParent;  ///< taken slot: position of the parent, -1 = own block
    Status status = Status::Complete;
    std::optional<Bytes> upperBoundBytes;  ///< pinned bytes no plan exceeds, when the solver knows one
    std::optional<SearchTrace> search;     ///< solvers that look for better plans: how they got there
};

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
[[nodiscard]] const Solver* findSolver(std::string_view id);  ///< accepts aliases; nullptr if unknown

}  // namespace memplan::solve

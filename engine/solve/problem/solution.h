// SPDX-License-Identifier: Apache-2.0
// What an address solver is given besides its problem, and what it returns (architecture 6.2).
#pragma once

#include "engine/base/search_trace.h"
#include "engine/solve/problem/address_problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace memplan::solve

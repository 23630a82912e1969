// SPDX-License-Identifier: Apache-2.0
// Hinted buffers, the same for all solvers (scratchpad 4.1).
#pragma once

#include "engine/solve/solver.h"

#include <string>
#include <vector>

namespace memplan::solve {

struct AddressWish {
    int item = -1;
    Address address = 0;
};

/// What is wanted beside the items' own `addressLimit` and `onlyInParentSlot`.
struct Wishes {
    std::vector<AddressWish> addresses;  ///< in hint order
    std::vector<int> pinned;             ///< positions of items
    [[nodiscard]] bool empty() const { return addresses.empty() && pinned.empty(); }
};

struct WishFailure {
    int item = -1;
    std::string why;  ///< sentence with numbers
};

struct HintedSolution {
    Solution solution;
    std::vector<WishFailure> failures;  ///< addresses that break a rule, pins that found no place in the first run
};

/// Fixes the wished addresses that keep L1-L4 among each other, places the pinned buffers alone, then the rest around
/// both. A failed wish goes on as an ordinary buffer.
[[nodiscard]] Result<HintedSolution> solveWithWishes(const Problem& problem, const Wishes& wishes, const Solver& solver,
                                                     const SolverParams& params, const RunControl& control);

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// The candidates of a program as an address problem (spyre-scratchpad 2, 3).
#pragma once

#include "engine/solve/problem/address_problem.h"
#include "engine/solve/solver.h"
#include "engine/spyre/state.h"

#include <vector>

namespace memplan::spyre {

/// Candidates in op order; `ids` names the buffer of each item.
struct CandidateProblem {
    solve::Problem problem;
    std::vector<BufferId> ids;
};

[[nodiscard]] CandidateProblem candidateProblem(const Program& program,
                                                const std::vector<ScratchpadState::Entry>& entries, Bytes capacity,
                                                Bytes alignment);

/// Gives the candidates the addresses and slots of the solution.
void takeSolution(const CandidateProblem& candidates, const solve::Solution& solution,
                  std::vector<ScratchpadState::Entry>& entries);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Independent check of a placement against L1-L4 (scratchpad 4). Shares no code with solvers.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <string>
#include <vector>

namespace memplan::solve {

struct Violation {
    std::string code;  ///< VER-001 .. VER-004
    int first = -1;    ///< positions in Problem::items
    int second = -1;   ///< -1 when one buffer alone is at fault
    Step tick = 0;
    std::string message;
};

[[nodiscard]] std::vector<Violation> validate(const Problem& problem, const Addresses& addresses);

}  // namespace memplan::solve

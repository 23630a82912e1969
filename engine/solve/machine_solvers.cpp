// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/machine_solvers.h"

#include "engine/solve/solver.h"

namespace memplan::solve {

const MachineSolvers* solversOf(std::string_view target) {
    for (const MachineSolvers* of : machineSolvers())
        if (of->target == target) return of;
    return nullptr;
}

MachineSolvers addressSolvers(std::string_view target, std::string_view key) {
    MachineSolvers all{target, key, {}};
    for (const Solver* solver : allSolvers())
        all.solvers.push_back({solver->id(), solver->id(), solver->title(), solver->help()});
    return all;
}

}  // namespace memplan::solve

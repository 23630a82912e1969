// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/machine_solvers.h"

#include "engine/solve/solver.h"

#include <algorithm>

namespace memplan::solve {

const MachineSolvers* solversOf(std::string_view target) {
    for (const MachineSolvers* of : machineSolvers())
        if (of->target == target) return of;
    return nullptr;
}

std::string_view solverName(std::string_view target, std::string_view value) {
    const MachineSolvers* of = solversOf(target);
    if (of == nullptr) return value;
    const auto it = std::ranges::find(of->solvers, value, &MachineSolver::value);
    return it == of->solvers.end() ? value : it->name;
}

MachineSolvers addressSolvers(std::string_view target, std::string_view key) {
    MachineSolvers all{target, key, {}};
    for (const Solver* solver : allSolvers())
        all.solvers.push_back({solver->id(), solver->id(), solver->title(), solver->help()});
    return all;
}

}  // namespace memplan::solve

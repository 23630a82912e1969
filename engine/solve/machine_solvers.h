// SPDX-License-Identifier: Apache-2.0
// The solvers that a machine's plans can be made with, as values of the setting that chooses one (settings.md 5): what
// `memplan list solvers` prints and a race runs over.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace memplan::solve {

struct MachineSolver {
    std::string_view name;   ///< of settings.md 5, with a number where several values have the same
    std::string_view value;  ///< of the setting
    std::string_view title;
    std::string_view help;  ///< one line
};

struct MachineSolvers {
    std::string_view target;  ///< id of the machine
    std::string_view key;     ///< of the setting
    std::vector<MachineSolver> solvers;
};

/// In the order of the machines (targets.cpp).
[[nodiscard]] std::span<const MachineSolvers* const> machineSolvers();
/// Null for a machine that has none.
[[nodiscard]] const MachineSolvers* solversOf(std::string_view target);

/// The address solvers under a setting that chooses one of them.
[[nodiscard]] MachineSolvers addressSolvers(std::string_view target, std::string_view key);

}  // namespace memplan::solve

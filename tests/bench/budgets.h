// SPDX-License-Identifier: Apache-2.0
// Budgets in ms and the check of benchmarks against them (user-experience 20, 20.1).
#pragma once

#include <string_view>
#include <vector>

namespace memplan::bench {

struct Budget {
    std::string_view benchmark;  ///< name as it is registered, with its arguments
    double ms;
    std::string_view what;  ///< row of the specification
};

/// The one table of all of them.
[[nodiscard]] const std::vector<Budget>& budgets();
/// The budget of a benchmark as it names itself: what follows the arguments, such as "/real_time", does not count.
/// Null when it has none.
[[nodiscard]] const Budget* budgetOf(std::string_view benchmark);

/// On shared machines a benchmark may take this many times its budget.
inline constexpr double kAllowance = 3;

/// Runs the registered benchmarks as the arguments of Google Benchmark say and prints the median of each that has a
/// budget beside it. Exit status: 0; 1 when a median is beyond kAllowance times its budget or a benchmark ended with an
/// error; 2 for an unknown argument. --no_budgets leaves the check out.
[[nodiscard]] int runBenchmarks(int argc, char** argv);

}  // namespace memplan::bench

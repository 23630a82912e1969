// SPDX-License-Identifier: Apache-2.0
// What an evaluation of a graph is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace memplan::sim {

struct EvaluatorOptions {
    std::uint64_t seed = 0;
    /// Ids of ops whose function is taken as given (kernels outside the planner): their results are named by the op
    /// and the whole content of their operands.
    std::set<std::string, std::less<>> opaque;
    bool keepAll = false;  ///< values of every tensor as they were when it was written; else those of outputs alone
    /// Tensors whose values are wanted besides the outputs.
    std::set<std::string, std::less<>> keep;
    std::int64_t memoryBytes = std::int64_t{1} << 30;
};

}  // namespace memplan::sim

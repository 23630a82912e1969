// SPDX-License-Identifier: Apache-2.0
// Direct evaluation of a neutral graph at the level `tokens` (proof-and-search A2, A8): the names that its tensors
// hold. Knows the graph alone, nothing of any plan.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/graph/graph.h"
#include "engine/sim/eval/values.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

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

/// Row-major values of tensors, by position in Graph::tensors; empty where not kept.
struct Evaluation {
    std::vector<std::vector<Value>> values;
};

/// Errors: VER-025 for what cannot be evaluated (with the op), VER-026 over the memory limit, CANCELLED.
[[nodiscard]] Result<Evaluation> evaluate(const Graph& graph, const EvaluatorOptions& options,
                                          const RunControl& control);

/// Values of a tensor that no op writes: an input, a parameter, a constant, a state.
[[nodiscard]] std::vector<Value> sourceValues(const Tensor& tensor, std::uint64_t seed);

/// Names the results of an opaque op: element `i` of output `output`, given the fingerprints of its operands in order.
[[nodiscard]] std::uint64_t opaqueKey(const Op& op, const std::vector<std::uint64_t>& fingerprints, std::uint64_t seed);
[[nodiscard]] inline Value opaqueValue(std::uint64_t key, std::size_t output, std::uint64_t i) {
    return narrowed(prf(key + output, i));
}
[[nodiscard]] std::uint64_t fingerprint(const std::vector<Value>& values);

}  // namespace memplan::sim

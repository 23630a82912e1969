// SPDX-License-Identifier: Apache-2.0
// Direct evaluation of a neutral graph at the level `tokens` (proof-and-search A2, A8): the names that its tensors
// hold. Knows the graph alone, nothing of any plan.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/graph/graph.h"
#include "engine/sim/eval/evaluator_options.h"
#include "engine/sim/eval/values.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::sim {

/// Row-major values of tensors, by position in Graph::tensors; empty where not kept.
struct Evaluation {
    std::vector<std::vector<Value>> values;
};

/// Errors: VER-025 for what cannot be evaluated (with the op), VER-026 over the memory limit, CANCELLED.
[[nodiscard]] Result<Evaluation> evaluate(const Graph& graph, const EvaluatorOptions& options,
                                          const RunControl& control);

}  // namespace memplan::sim

// SPDX-License-Identifier: Apache-2.0
// Short words for tests that compile a graph and look at the plan.
#pragma once

#include "engine/graph/builder.h"
#include "engine/plan/plan.h"
#include "engine/target/compile.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Compiles for Spyre; the failure's message is kept in the outcome.
[[nodiscard]] CompileOutcome compileGraph(const Graph& graph, const Pairs& settings = {},
                                          const std::string& stopAfter = {});
/// The plan, or null after printing why there is none.
[[nodiscard]] PlanPtr planOf(const Graph& graph, const Pairs& settings = {});

/// What is wrong with the plan as read back from its file, "" when nothing is: the compile has verified the plan
/// itself.
[[nodiscard]] std::string fileFault(const Plan& plan);

[[nodiscard]] Bytes traffic(const Plan& plan);
[[nodiscard]] const PlanBuffer* findBuffer(const Plan& plan, const std::string& name);
[[nodiscard]] const PlanOp* findOp(const Plan& plan, const std::string& name);
[[nodiscard]] std::string reasonName(const Plan& plan, const std::string& buffer);  ///< "" when on chip

/// max, sub, exp, sum, div over one axis (spyre-scratchpad 12).
[[nodiscard]] Graph softmax(std::int64_t rows, std::int64_t columns, int axis);

}  // namespace memplan::test

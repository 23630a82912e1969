// SPDX-License-Identifier: Apache-2.0
// The plans that the tests of whole plans of TTNN share: compiled from small functions, checked by the validator.
#pragma once

#include "engine/plan/ttnn_data.h"
#include "engine/target/compile.h"
#include "tests/engine/ttnn/function_builder.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

/// A chain, a fork whose branches meet, a product and a reduction: chains that complete, reservations, spills.
[[nodiscard]] ttnn::Function sketch();
/// Compiled once.
[[nodiscard]] const Plan& sketchPlan();

[[nodiscard]] CompileOutcome compileFunction(const ttnn::Function& function,
                                             const std::vector<std::pair<std::string, std::string>>& settings = {});
/// A convolution with 64 channels, windows of 3x3 and as many pixels, 28x28, as its operand has.
[[nodiscard]] ttnn::ValueId addConvolution(FunctionBuilder& builder, ttnn::ValueId operand);
/// There is a plan, and the validator has no objection.
void verifyFound(const CompileOutcome& outcome);
/// A row for each policy, in the column "policy".
void addPolicyRows();

}  // namespace memplan::test

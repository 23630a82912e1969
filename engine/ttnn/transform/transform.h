// SPDX-License-Identifier: Apache-2.0
// Graph transformation (ttnn-optimizer 7, steps 1 to 5 and 7): applies a solution to a copy of a function.
#pragma once

#include "engine/ttnn/options/options.h"
#include "engine/ttnn/solution/solution.h"
#include "engine/ttnn/solution/transformed.h"

namespace memplan::ttnn {

/// `solution` has a configuration for each operation (`completeConfigs`). Values that are returned end in DRAM, or on
/// the host where they did before: what is not spilled by the solution gets a conversion before the return.
[[nodiscard]] Transformed transformGraph(const Function& function, const Solution& solution, const Device& device,
                                         const Options& options);

/// Step 2 for one operation: its result's layout and the attributes of its kernel.
void applyConfig(Transformed& transformed, OperationId op, const OpConfig& config);

/// Step 7: result types of the function from what it returns.
void updateFunctionTypes(Function& function);

}  // namespace memplan::ttnn

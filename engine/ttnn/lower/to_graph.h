// SPDX-License-Identifier: Apache-2.0
// The planned function of a module as a neutral graph: what views show of the input, and what hints name.
#pragma once

#include "engine/graph/graph.h"
#include "engine/ttnn/module/module.h"

#include <memory>
#include <string>

namespace memplan::ttnn {

/// Operation i of the graph is operation i of the function. Ids are location names, made unique. A graph without
/// operations for a module with no function to plan.
[[nodiscard]] std::shared_ptr<const Graph> graphOfModule(const Module& module, const std::string& name);

/// Ids of operations: location names where they are unique, else with a number behind; by OperationId.
[[nodiscard]] std::vector<std::string> operationNames(const Function& function);

}  // namespace memplan::ttnn

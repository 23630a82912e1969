// SPDX-License-Identifier: Apache-2.0
// The plan of a TTNN compile: operations in their order with layouts, values as buffers, chains and figures.
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/ttnn/compile/state.h"

#include <memory>

namespace memplan::ttnn {

[[nodiscard]] std::shared_ptr<Plan> buildPlan(const CompileRequest& request, const State& state, RunFacts facts);

}  // namespace memplan::ttnn

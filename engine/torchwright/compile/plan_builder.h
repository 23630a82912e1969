// SPDX-License-Identifier: Apache-2.0
// The plan of a compile: operations in their order, values as buffers in columns, figures.
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/torchwright/compile/state.h"

#include <memory>

namespace memplan::torchwright {

[[nodiscard]] std::shared_ptr<Plan> buildPlan(const CompileRequest& request, const State& state, RunFacts facts);

}  // namespace memplan::torchwright

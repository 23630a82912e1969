// SPDX-License-Identifier: Apache-2.0
// Freezes the state of a finished (or stopped) compile into a plan: ops, buffers, memory, metrics,
// problems (architecture 5.4 steps 5 and 6).
#pragma once

#include "engine/hints/verdict.h"
#include "engine/pipeline/compile.h"
#include "engine/spyre/compile/state.h"

#include <memory>
#include <vector>

namespace memplan {

struct PlanParts {
    const CompileRequest& request;
    const SpyreMachine& machine;
    const State& state;
    std::vector<PassRun> passes;
    std::vector<Decision> decisions;
    std::vector<hints::Conclusion> hintStates;  ///< parallel to the request's hints
};

[[nodiscard]] std::shared_ptr<Plan> buildSpyrePlan(PlanParts parts);

/// 64-bit FNV-1a over what the plan decides: splits, placements, reasons. Times do not enter.
[[nodiscard]] std::string planHash(const Plan& plan);

}  // namespace memplan

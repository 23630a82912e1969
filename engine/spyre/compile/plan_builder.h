// SPDX-License-Identifier: Apache-2.0
// Freezes the state of a finished (or stopped) compile into a plan: ops, buffers, memory, metrics,
// problems (architecture 5.4 steps 5 and 6).
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/spyre/cost/calibration.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/spyre/state.h"

#include <memory>

namespace memplan::spyre {

struct PlanParts {
    const CompileRequest& request;
    const SpyreMachine& machine;
    const cost::Calibration& calibration;
    const State& state;
    RunFacts facts;
};

[[nodiscard]] std::shared_ptr<Plan> buildSpyrePlan(PlanParts parts);

}  // namespace memplan::spyre

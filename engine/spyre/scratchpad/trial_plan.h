// SPDX-License-Identifier: Apache-2.0
// The plan that scratchpad planning would make of a program, for passes that weigh one program against another
// (spyre-scratchpad 14).
#pragma once

#include "pipeline/pass.h"
#include "pipeline/state.h"

namespace memplan::spyre {

struct TrialPlan {
    State state;        ///< after steps 16.3 and 16.4
    Bytes traffic = 0;  ///< main-memory bytes once the input clones without place are out (9.1)
};

/// Buffer analysis and placement of the state; what they say of it is not kept.
[[nodiscard]] Result<TrialPlan> planTrial(State state, const PassContext& context);

/// Main-memory bytes of a placed state, input clones without place left out.
[[nodiscard]] Bytes plannedTraffic(const State& state);

}  // namespace memplan::spyre

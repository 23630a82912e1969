// SPDX-License-Identifier: Apache-2.0
// The plan that scratchpad planning would make of a program, for passes that weigh one program against another
// (spyre-scratchpad 14).
#pragma once

#include "engine/spyre/cost/calibration.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/placement/place.h"
#include "engine/spyre/state.h"

namespace memplan::spyre {

struct TrialPlan {
    State state;        ///< after steps 16.3 and 16.4
    Bytes traffic = 0;  ///< main-memory bytes once the input clones without place are out (9.1)
};

/// Buffer analysis and placement of the state; what they say of it is not kept. `settings` may name another solver than
/// the compile's. Errors are those of the steps.
[[nodiscard]] Result<TrialPlan> planTrial(State state, const PassContext& context, const Settings& settings);
/// By the solver of the compile.
[[nodiscard]] Result<TrialPlan> planTrial(State state, const PassContext& context);

/// The same on the state itself.
[[nodiscard]] Result<void> placeAgain(State& trial, const PassContext& context, const Settings& settings);

/// What a step did to the main-memory bytes of a run, as counts bytes_saved, traffic_before and traffic_after.
void countTraffic(PassOutcome& outcome, Bytes before, Bytes after);

/// Main-memory bytes of a placed state, input clones without place left out.
[[nodiscard]] Bytes plannedTraffic(const State& state);

/// Estimate of a placed state by the performance model.
[[nodiscard]] double estimatedMicroseconds(const State& state, const cost::Calibration& calibration);

[[nodiscard]] Settings screeningSettings(const Settings& settings);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The hints of hints.md 4.3: what each pass takes from them, and what became of every subject.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/torchwright/compile/state.h"

namespace memplan::torchwright {

/// Pairs that hints want or do not want; nodes that other hints name stay.
[[nodiscard]] FusionRule fusionRule(const State& state, const PassContext& context);
void reportFusion(const State& state, const Fusion& fusion, PassContext& context);

/// Hints `concurrency` and `after` as edges of the graph. Gives how many did something.
int applyScopes(State& state, PassContext& context);

/// Hints `layer_min` and `priority` into the options of the schedule.
void readScheduleHints(State& state, const PassContext& context);
void reportScheduleHints(const State& state, PassContext& context);

}  // namespace memplan::torchwright

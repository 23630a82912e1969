// SPDX-License-Identifier: Apache-2.0
// The advice of torchwright.md 19 as diagnostics of a plan.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/torchwright/compile/state.h"

namespace memplan::torchwright {

/// Reports what is found, with `torchwright.advice_trials` compiles spent on trials; what was tried without gain stands
/// in the report of the state alone.
void giveAdvice(State& state, PassContext& context);

}  // namespace memplan::torchwright

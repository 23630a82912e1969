// SPDX-License-Identifier: Apache-2.0
// The advice of torchwright.md 19 as diagnostics of a plan.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/torchwright/compile/state.h"

namespace memplan::torchwright {

/// The word of decisions about what was tried without gain, in a plan file too.
inline constexpr const char* kAdviceDecision = "advice";

/// Reports what is found, with `torchwright.advice_trials` compiles spent on trials; what was tried without gain is
/// a decision.
void giveAdvice(State& state, PassContext& context);

}  // namespace memplan::torchwright

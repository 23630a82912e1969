// SPDX-License-Identifier: Apache-2.0
// Advice as part of a compile (ttnn-optimizer 15.3): it is said, and changes nothing.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/ttnn/compile/state.h"

namespace memplan::ttnn {

/// Findings go to the state and, as notes, to the context; with `ttnn.advice_trials` their proposals are compiled
/// first. Cancelled: the code of `kCancelledCode`.
[[nodiscard]] Result<void> advise(State& state, const PolicyInput& input, PassContext& context);

}  // namespace memplan::ttnn

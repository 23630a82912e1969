// SPDX-License-Identifier: Apache-2.0
// Passes 2 to 15 of the Spyre pipeline (pipeline.md 1): layouts, padding, constants, chunks, names,
// work division. Each changes the state, or says why not
// (PassOver::run).
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> removeDeadCode(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> propagateLayouts(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> commitLayouts(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> finalizeLayouts(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> insertRestickifies(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> padMultiplies(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> promoteConstants(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> chunkLargeTensors(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> propagateNamedDims(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> assignDimHints(State& state, PassContext& context);

// coarse tiling: tiling/passes.h

[[nodiscard]] Result<PassOutcome> commitSpanSplits(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> divideKFast(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> divideByCostModel(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> distributeWork(State& state, PassContext& context);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The steps of scratchpad planning that take buffers off the chip and back (spyre-scratchpad 14.1b, 14.6).
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> evictAndReload(State& state,
                                                 PassContext& context);  ///< scratchpad_planning.evict_reload
[[nodiscard]] Result<PassOutcome> emptyBetweenKernels(State& state,
                                                      PassContext& context);  ///< scratchpad_planning.boundaries

}  // namespace memplan::spyre

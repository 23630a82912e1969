// SPDX-License-Identifier: Apache-2.0
// What is where while a Spyre plan runs, replayed op by op: every read on chip finds the buffer that it asks for, an
// lx_reload fetches what an lx_evict wrote, and kernel boundaries keep what the plan says (spyre-scratchpad
// 4, 14.1, 14.6).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify {

/// Findings VER-014 (replay), VER-013 (boundaries). `life` is each buffer's real lifetime, parallel to the buffers.
[[nodiscard]] std::vector<Diagnostic> checkMoves(const Plan& plan, const std::vector<StepRange>& life);

}  // namespace memplan::verify

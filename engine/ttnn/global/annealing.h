// SPDX-License-Identifier: Apache-2.0
// Simulated annealing over whole solutions (ttnn-optimizer 12.5 a).
#pragma once

#include "engine/ttnn/global/candidate.h"

#include <cstdint>

namespace memplan::ttnn {

struct AnnealingLimits {
    std::int64_t floor = 0;  ///< of sharded operations
    std::int64_t moves = 0;
    std::uint32_t seed = 0;
};

/// Random moves of the local search and exchanges of neighbours in the order; one that costs time is taken the more
/// seldom the more it costs and the later it comes. Nothing that does not fit is taken. The candidate becomes the best
/// that was seen; equal seeds give equal results.
void anneal(Evaluator& evaluator, Candidate& best, const AnnealingLimits& limits);

}  // namespace memplan::ttnn

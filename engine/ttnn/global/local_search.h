// SPDX-License-Identifier: Apache-2.0
// Local search over whole solutions (ttnn-optimizer 12.5 a).
#pragma once

#include "engine/ttnn/global/candidate.h"

#include <cstdint>

namespace memplan::ttnn {

struct SearchLimits {
    int rounds = 4;               ///< sweeps over all operations
    std::int64_t floor = 0;       ///< of sharded operations
    std::int64_t trials = 20000;  ///< moves that are tried at most
};

/// Sweeps until nothing improves: another configuration of one operation, a value kept or sent to DRAM, a conversion
/// put in or left out, a path placed anew (12.3). Deterministic; a passed deadline ends it.
void improve(Evaluator& evaluator, Candidate& best, const SearchLimits& limits);

/// Exchanges neighbours in the order until values wait less in L1; what that makes room for is found by a sweep. The
/// candidate stays as it is where that gains nothing.
void improveOrder(Evaluator& evaluator, Candidate& best, const SearchLimits& limits);

}  // namespace memplan::ttnn

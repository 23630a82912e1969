// SPDX-License-Identifier: Apache-2.0
// Local search over whole solutions (ttnn-optimizer 12.5 a).
#pragma once

#include "engine/ttnn/assign/assignment.h"

#include <cstdint>

namespace memplan::ttnn {

/// A solution that is compared by its cost and kept only with at least so many sharded operations.
struct Candidate {
    Assignment assignment;
    Evaluation evaluation;
};

struct SearchLimits {
    int rounds = 4;               ///< sweeps over all operations
    std::int64_t floor = 0;       ///< of sharded operations
    std::int64_t trials = 20000;  ///< moves that are tried at most
};

/// Legal and with enough sharded operations first, then what costs less.
[[nodiscard]] bool isBetter(const Evaluation& a, const Evaluation& b, std::int64_t floor);

/// Sweeps until nothing improves: another configuration of one operation, a value kept or sent to DRAM, a conversion
/// put in or left out, a path placed anew (12.3). Deterministic; a passed deadline ends it.
void improve(Evaluator& evaluator, Candidate& best, const SearchLimits& limits);

}  // namespace memplan::ttnn

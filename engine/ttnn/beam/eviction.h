// SPDX-License-Identifier: Apache-2.0
// Pass 2 of the beam policy (ttnn-optimizer 12.4): where an operation does not fit beside what is in L1, the value that
// is needed again last goes to DRAM.
#pragma once

#include "engine/ttnn/assign/assignment.h"

namespace memplan::ttnn {

/// Evicts until everything fits, or until nothing is left to evict.
void evictUntilFits(Evaluator& evaluator, Assignment& assignment);

}  // namespace memplan::ttnn

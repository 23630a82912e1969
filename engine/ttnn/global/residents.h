// SPDX-License-Identifier: Apache-2.0
// The exact choice of residents applied to a solution (ttnn-optimizer 12.5 b).
#pragma once

#include "engine/ttnn/global/candidate.h"

namespace memplan::ttnn {

/// Small graphs only. True where the candidate became better.
bool keepBestResidents(Evaluator& evaluator, Candidate& best, std::int64_t floor);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// The solutions of other policies as starts of a search, and solutions compared by what they do in the end.
#pragma once

#include "engine/ttnn/global/local_search.h"
#include "engine/ttnn/measure/measure.h"

namespace memplan::ttnn {

/// What the solution does with the function, its overrides and open configurations filled in.
[[nodiscard]] Transformed transformedBy(const PolicyInput& input, const Solution& solution);
[[nodiscard]] Candidate candidateOf(Evaluator& evaluator, const Solution& solution);

/// Runs everywhere, no slower, and with no fewer sharded operations.
[[nodiscard]] bool isNoWorse(const PolicyInput& input, const Solution& a, const Solution& b);

}  // namespace memplan::ttnn

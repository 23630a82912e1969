// SPDX-License-Identifier: Apache-2.0
// The solutions of other policies as starts of a search, and solutions compared by what they do in the end.
#pragma once

#include "engine/ttnn/global/candidate.h"
#include "engine/ttnn/measure/measure.h"

namespace memplan::ttnn {

/// What the solution does with the function, its overrides and open configurations filled in.
[[nodiscard]] Transformed transformedBy(const PolicyInput& input, const Solution& solution);
[[nodiscard]] Candidate candidateOf(Evaluator& evaluator, const Solution& solution);

/// What a solution must hold out against.
struct Rivals {
    const Solution& faster;     ///< it is no slower, and runs wherever that one does
    const Solution& reference;  ///< it has no fewer sharded operations
};
[[nodiscard]] bool isNoWorse(const PolicyInput& input, const Solution& solution, const Rivals& rivals);

}  // namespace memplan::ttnn

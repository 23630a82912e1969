// SPDX-License-Identifier: Apache-2.0
// Loops of operations in the words of the tensors that they move along, so that texts speak of "columns" wherever a
// buffer is meant and nobody has to know which loop is d1.
#pragma once

#include "engine/plan/plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace memplan {

/// The dimensions that loop `loop` of the operation moves along, "columns" or "dimension 0 x rows": those of `of` if
/// the operation touches it and the loop moves along it, else of its result, else of what it reads. The loop's own name
/// where no layout says.
[[nodiscard]] std::string loopName(const Plan& plan, OpId op, std::size_t loop, BufferId of = {});

/// Names of the buffer's dimensions that its writer declared; they count when there is one for each.
[[nodiscard]] const std::vector<std::string>& declaredDims(const Plan& plan, const PlanBuffer& buffer);

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// What a plan says of its memory, sizes and cores, recomputed. Shares no code with the planners.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify {

/// VER-013 where capacity and alignment are not those of the machine under the plan's settings, where the bytes in use
/// at a step, the largest of them, the size of a buffer or the use of the cores is not what the plan gives.
[[nodiscard]] std::vector<Diagnostic> checkFigures(const Plan& plan);

}  // namespace memplan::verify

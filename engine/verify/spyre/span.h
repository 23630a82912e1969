// SPDX-License-Identifier: Apache-2.0
// Device memory that one core reaches (spyre-layouts-and-work-division 9), recomputed from loops, indices, layouts and
// slices alone. Shares no code with the passes that divide the work.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify {

/// VER-013 where an op states another span than its parts give, VER-007 where that is over the limit of the plan's
/// `spyre.span_rule` and no problem of the plan says so.
[[nodiscard]] std::vector<Diagnostic> checkSpans(const Plan& plan);

}  // namespace memplan::verify

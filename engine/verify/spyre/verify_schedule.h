// SPDX-License-Identifier: Apache-2.0
// The validator's own reading of re-ordering and copies (spyre-scratchpad 14.2 - 14.4): a stated order keeps every
// dependency and crosses no outside kernel, a copy holds what its source holds.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan {

/// VER-011 for an order that breaks a dependency, VER-013 for everything else.
[[nodiscard]] std::vector<Diagnostic> verifySchedule(const Plan& plan);

}  // namespace memplan

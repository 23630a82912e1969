// SPDX-License-Identifier: Apache-2.0
// The independent validator: re-checks a plan from its own ops and buffers (codes.md 7). Shares no
// code with the planners.
#pragma once

#include "base/diagnostic.h"
#include "plan/plan.h"

#include <vector>

namespace memplan {

/// Violations VER-001 .. VER-013; empty = clean.
[[nodiscard]] std::vector<Diagnostic> verifyPlan(const Plan& plan);

}  // namespace memplan

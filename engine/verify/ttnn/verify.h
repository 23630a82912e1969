// SPDX-License-Identifier: Apache-2.0
// The independent validator of TTNN plans: everything is recomputed from the operations, layouts and attributes that
// the plan states (ttnn-optimizer 1, 9, 15; codes.md 7). Shares nothing with the planner but plain values.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify::ttnn {

/// Violations VER-001 to VER-013, each naming its place; empty = clean.
[[nodiscard]] std::vector<Diagnostic> checkPlan(const Plan& plan);
/// The same, and what a finished plan says of the work of the compile: counters, figures of passes, sentences,
/// overrides that it does not keep.
[[nodiscard]] std::vector<Diagnostic> checkFile(const Plan& plan);

}  // namespace memplan::verify::ttnn

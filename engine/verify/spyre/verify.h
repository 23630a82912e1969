// SPDX-License-Identifier: Apache-2.0
// The independent validator of Spyre plans: re-checks a plan from its own ops and buffers (codes.md 7). Shares no code
// with the planners.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify::spyre {

/// Everything that a plan file says of its plan, recomputed: violations VER-001 .. VER-014, each naming its place;
/// empty = clean.
[[nodiscard]] std::vector<Diagnostic> checkPlan(const Plan& plan);

/// The part of it that every compile runs on its result: placement, in-place rules, lifetimes, replay, ownership,
/// spans, traffic. What the plan says of itself a second time (OpSpecs, counts, codes) is left to checkPlan(), which
/// reads every index of every tensor.
[[nodiscard]] std::vector<Diagnostic> checkCompiled(const Plan& plan);

}  // namespace memplan::verify::spyre

// SPDX-License-Identifier: Apache-2.0
// The independent validators of the machines (codes.md 7), by the plan's own machine.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan {

/// Everything that a plan file says of its plan, recomputed: violations VER-001 .. VER-014, each naming its place;
/// empty = clean. For plans that come from a file and before one is converted or exported.
[[nodiscard]] std::vector<Diagnostic> verifyPlan(const Plan& plan);

/// The part of it that every compile runs on its result.
[[nodiscard]] std::vector<Diagnostic> verifyCompiled(const Plan& plan);

/// Before a plan is written in another form: the first violation as an error (VER-..., exit status 1). Programs that
/// were imported and lists of buffers pass: what is wrong with them is reported where they are opened.
[[nodiscard]] Result<void> requireSound(const Plan& plan);

}  // namespace memplan

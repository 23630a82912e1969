// SPDX-License-Identifier: Apache-2.0
// `compile --export`: the target's own files of a plan.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/plan.h"

#include <string>

namespace memplan::cli {

/// Writes all files or none. Errors VER-... for a plan that `verify` refuses, EXP-002, EXP-005 for the folder, others
/// for what has no form in the files.
[[nodiscard]] Result<void> exportPlan(const Plan& plan, const std::string& folder, bool force);

}  // namespace memplan::cli

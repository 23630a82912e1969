// SPDX-License-Identifier: Apache-2.0
// The hash over what a plan decides: plan key `x_plan_hash`.
#pragma once

#include "engine/plan/plan.h"

#include <string>

namespace memplan {

/// 64-bit FNV-1a over what the plan decides: splits, placements, reasons. Times do not enter.
[[nodiscard]] std::string planHash(const Plan& plan);

}  // namespace memplan

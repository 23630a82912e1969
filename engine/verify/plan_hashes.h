// SPDX-License-Identifier: Apache-2.0
// The hashes that a plan states over its input and its decisions, against what the plan gives.
#pragma once

#include "engine/verify/report.h"

namespace memplan::verify {

/// VER-013 where the decisions of the plan have another hash; nothing where it states none.
void checkPlanHash(const Plan& plan, Report& report);
/// VER-013 where graph, settings and hints have another hash; nothing where the plan states none or has no graph. For
/// plans whose settings name no file that counts by its content.
void checkInputHash(const Plan& plan, Report& report);

}  // namespace memplan::verify

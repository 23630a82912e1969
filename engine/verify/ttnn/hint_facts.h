// SPDX-License-Identifier: Apache-2.0
// Hints that a plan calls applied, against what it does (hints.md 3, 4.2).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

void checkHints(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// Layouts and reshards that the settings force by hand, against what the plan does (ttnn-optimizer 8.2, 8.3).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

/// VER-013 for an override that the plan does not keep and that no problem of it is about. Where a hint of the same
/// kind names the operation, that counts instead.
void checkOverrides(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

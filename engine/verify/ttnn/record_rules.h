// SPDX-License-Identifier: Apache-2.0
// What a plan file says of the work of the compile (ttnn-optimizer 5.5, 6, 13): no rule of the plan needs it, but it
// has to agree with itself, with the plan and with the settings.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

/// VER-008 and VER-013 for switches that are off and parts that are there, counters that no solver can have, edges and
/// failures of other operations, figures of passes that are not those of the plan.
void checkRecord(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

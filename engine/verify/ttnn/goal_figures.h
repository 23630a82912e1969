// SPDX-License-Identifier: Apache-2.0
// The figures of ttnn-optimizer 15.1 and the metrics of the plan, recomputed.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

void checkGoals(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// The estimated time of an operation (ttnn-optimizer 9.5).
#pragma once

#include "engine/verify/report.h"

namespace memplan::verify::ttnn {

/// Time, DRAM bytes, cores and what binds it, against what the plan states.
void checkTime(const Plan& plan, OpId op, Report& report);

}  // namespace memplan::verify::ttnn

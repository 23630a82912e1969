// SPDX-License-Identifier: Apache-2.0
// Order of a plan's operations and the frame around them: who writes which buffer, what is freed when, and the names
// under which a plan file repeats what its operations say.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

void checkOrder(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

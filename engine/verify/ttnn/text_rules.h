// SPDX-License-Identifier: Apache-2.0
// The sentences of a plan file: why a value is off chip, which layout was chosen, what is a problem. They are made
// again from the figures of the plan.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

/// VER-013 for a sentence that says something else than the plan.
void checkTexts(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

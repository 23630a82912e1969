// SPDX-License-Identifier: Apache-2.0
// The passes of a plan file (pipeline.md 2): which ran, in which order, and the figures that they counted.
#pragma once

#include "engine/verify/report.h"

namespace memplan::verify::ttnn {

/// VER-013 for passes that there are not or that a setting switches otherwise, titles and seconds that are none, and
/// figures that are not those of the plan.
void checkPasses(const Plan& plan, Report& report);

}  // namespace memplan::verify::ttnn

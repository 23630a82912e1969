// SPDX-License-Identifier: Apache-2.0
// The passes of a plan file (pipeline.md 2): which ran, in which order, and the figures that they counted.
#pragma once

#include "engine/verify/report.h"

namespace memplan::verify::ttnn {

/// VER-013 for a pass that is unknown, out of order or ran against its setting, for a title or time that it cannot
/// have, and for figures that are not those of the plan.
void checkPasses(const Plan& plan, Report& report);

}  // namespace memplan::verify::ttnn

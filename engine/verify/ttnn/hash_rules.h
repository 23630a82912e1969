// SPDX-License-Identifier: Apache-2.0
// The hashes that a plan file carries over its own parts.
#pragma once

#include "engine/verify/report.h"

namespace memplan::verify::ttnn {

/// VER-013 for each part that was changed after the plan was made. A file of a version without hashes has none.
void checkHashes(const Plan& plan, Report& report);

}  // namespace memplan::verify::ttnn

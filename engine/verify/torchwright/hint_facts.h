// SPDX-License-Identifier: Apache-2.0
// Hints that a plan calls applied against what its layers do (hints.md 4.3).
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"

namespace memplan::verify::torchwright {

void checkHints(const Plan& plan, const TorchwrightData& data, Report& report);

}  // namespace memplan::verify::torchwright

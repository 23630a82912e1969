// SPDX-License-Identifier: Apache-2.0
// Chains, reservations and merges of a plan against its operations (ttnn-optimizer 4, 6).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

void checkChains(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

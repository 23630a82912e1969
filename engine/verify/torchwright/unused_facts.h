// SPDX-License-Identifier: Apache-2.0
// What every plan has and this machine has little or no use for: cores, loops, accesses, main memory, spans. A field
// without meaning holds its neutral value; what follows from the layers is worked out.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"
#include "engine/verify/torchwright/program.h"

namespace memplan::verify::torchwright {

/// The operations of the plan are those of the layers.
void checkUnused(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report);

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
// The common part of a plan against its schedule: settings, operations with what they read and write, buffers with
// their lives, memory, metrics that every machine has.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"
#include "engine/verify/torchwright/program.h"

namespace memplan::verify::torchwright {

void checkCommonPart(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report);

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
// What a plan records of its compile: passes with their counts and findings, the decisions, the solver, the probe.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"
#include "engine/verify/torchwright/program.h"

namespace memplan::verify::torchwright {

void checkRecord(const Plan& plan, const TorchwrightData& data, Report& report);
void checkDecisions(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report);
void checkRefusals(const Program& program, const TorchwrightData& data, Report& report);
void checkProbe(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report);

}  // namespace memplan::verify::torchwright

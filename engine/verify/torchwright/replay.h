// SPDX-License-Identifier: Apache-2.0
// The layers, executed on labels: which value stands in each column, what every operation reads and writes, how many
// heads and slots it takes (torchwright.md 7 to 9).
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"
#include "engine/verify/torchwright/program.h"

namespace memplan::verify::torchwright {

/// Reports what breaks a rule, and every count of the schedule that the layers do not give.
void replay(const Program& program, const TorchwrightData& data, Report& report);
/// The same for a schedule of which only what an export holds is known: no parameters, refusals and totals.
void replayExport(const Program& program, const memplan::torchwright::Schedule& schedule, Report& report);

}  // namespace memplan::verify::torchwright

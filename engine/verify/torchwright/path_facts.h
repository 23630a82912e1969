// SPDX-License-Identifier: Apache-2.0
// The critical path that a plan states: lengths, runs with their reach, ties, bounds (torchwright.md 5, 14), and the
// graph before fusion that it speaks about.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"
#include "engine/verify/torchwright/program.h"

namespace memplan::verify::torchwright {

/// `program` is the graph before fusion; `bound`: the fewest layers of the one that was scheduled.
void checkPath(const Program& program, const TorchwrightData& data, int bound, Report& report);
/// What was scheduled against the graph before fusion: each Linear that reads something else took over one that nobody
/// else reads.
void checkFusion(const TorchwrightData& data, Report& report);

}  // namespace memplan::verify::torchwright

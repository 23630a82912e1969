// SPDX-License-Identifier: Apache-2.0
// The figures that a plan states of its layers (torchwright.md 6, 13, 14): annotation rows, occupancy by annotation,
// plateaus, clusters with what is in flight, metrics.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"
#include "engine/verify/torchwright/bound.h"

namespace memplan::verify::torchwright {

/// `bound` is that of the graph that was scheduled.
void checkAnnotations(const Program& program, const TorchwrightData& data, const Bound& bound, Report& report);
void checkPlateaus(const Plan& plan, const TorchwrightData& data, Report& report);
void checkClusters(const Program& program, const TorchwrightData& data, Report& report);
void checkMetrics(const Plan& plan, const TorchwrightData& data, const Bound& bound, Report& report);

}  // namespace memplan::verify::torchwright

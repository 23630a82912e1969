// SPDX-License-Identifier: Apache-2.0
// The estimate of a whole plan (spyre-cost-and-co-optimisation 8): ranks plans of one graph, no forecast.
#pragma once

#include "engine/plan/cost_estimate.h"
#include "engine/spyre/cost/calibration.h"
#include "engine/spyre/cost/report.h"
#include "engine/spyre/estimate/extract.h"

#include <vector>

namespace memplan::spyre::cost {

struct EstimateInput {
    const Program* program = nullptr;
    Residency inLx;
    unsigned threads = 1;  ///< may share the work on large programs
    bool fuse = true;      ///< without kernels in the program: runs of device operations are one kernel
};

/// Records of all ops of a program with its committed divisions.
[[nodiscard]] std::vector<ReportOp> reportOps(const Program& program, const Residency& inLx, unsigned threads = 1);

[[nodiscard]] CostEstimate estimate(const EstimateInput& input, const Calibration& calibration);

}  // namespace memplan::spyre::cost

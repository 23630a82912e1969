// SPDX-License-Identifier: Apache-2.0
// The estimate of a whole plan (spyre-cost-and-co-optimisation 8): ranks plans of one graph, no forecast.
#pragma once

#include "plan/cost_estimate.h"
#include "spyre/cost/calibration.h"
#include "spyre/cost/extract.h"
#include "spyre/cost/report.h"

#include <vector>

namespace memplan::spyre::cost {

struct EstimateInput {
    const Program* program = nullptr;
    Residency inLx;
    bool fuse = true;  ///< without kernels in the program: runs of device operations are one kernel
};

/// Records of all ops of a program with its committed divisions.
[[nodiscard]] std::vector<ReportOp> reportOps(const Program& program, const Residency& inLx);

[[nodiscard]] CostEstimate estimate(const EstimateInput& input, const Calibration& calibration);

/// Category of the stated errors that a kernel belongs to (9.2).
[[nodiscard]] std::string errorCategory(const std::vector<OpFeatures>& kernel, const Model& model);

}  // namespace memplan::spyre::cost

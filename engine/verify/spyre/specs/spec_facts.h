// SPDX-License-Identifier: Apache-2.0
// The OpSpec trees of a plan (target_data.op_specs) against its operations, buffers and kernels
// (spyre-coarse-tiling-and-bundle 4.4, 7, 8, 10). Uses the data types of the trees, nothing that builds them.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for an op, loop, argument, extent, split, layout, address or slot that is not the plan's, VER-008 where a
/// coordinate leads to another element than the access of the op.
void checkSpecs(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

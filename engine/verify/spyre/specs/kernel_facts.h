// SPDX-License-Identifier: Apache-2.0
// The kernels, the loop tree, the tile propagation and the pool of a Spyre plan against its operations
// (spyre-coarse-tiling-and-bundle 4, 6, 7, 8.4, 14).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-012 for operations that no kernel holds, VER-013 for arguments, counts, limits, pool and propagation.
void checkKernelFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// target_data of a Spyre plan beside its ops: propagation, loops, kernels, pool
// (spyre-coarse-tiling-and-bundle 19). A key is left out when its pass did not run.
#pragma once

#include "engine/plan/file/record.h"
#include "engine/plan/spyre_data.h"

namespace memplan::spyre {

/// Into and out of the object target_data.
void writeBundleData(io::RecordWriter& file, const SpyreData& data);
void readBundleData(io::RecordReader& file, SpyreData& data);
/// What emptying the scratchpad behind a kernel costs is a decision of the plan: refuses another figure. For plans that
/// hold their decisions.
void checkBoundaryBytes(io::PlanFields& f, io::TapeIndex targetData, const Plan& plan);

}  // namespace memplan::spyre

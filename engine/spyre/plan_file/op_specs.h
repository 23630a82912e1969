// SPDX-License-Identifier: Apache-2.0
// target_data.op_specs of a Spyre plan: kernel name -> spec tree (spyre-coarse-tiling-and-bundle 19).
#pragma once

#include "engine/json/json_text.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/plan/plan.h"

namespace memplan::spyre {

/// Writes the member; nothing when the plan has no trees.
void writeOpSpecs(io::JsonWriter& writer, const Plan& plan);
/// `data` is target_data. Arguments and pool come from the plan's kernels, which must have been read before.
void readOpSpecs(io::PlanFields& fields, io::TapeIndex data, Plan& plan);

}  // namespace memplan::spyre

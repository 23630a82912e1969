// SPDX-License-Identifier: Apache-2.0
// target_data.op_specs of a Spyre plan: kernel name -> spec tree (spyre-coarse-tiling-and-bundle 19).
#pragma once

#include "engine/io/plan/plan_fields.h"
#include "engine/json/json_text.h"
#include "engine/plan/plan.h"

namespace memplan::io {

/// Writes the member; nothing when the plan has no trees.
void writeOpSpecs(JsonWriter& writer, const Plan& plan);
/// `data` is target_data. Arguments and pool come from the plan's kernels, which must have been read before.
void readOpSpecs(PlanFields& fields, TapeIndex data, Plan& plan);

}  // namespace memplan::io

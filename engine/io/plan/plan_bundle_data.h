// SPDX-License-Identifier: Apache-2.0
// target_data of a Spyre plan beside its ops: propagation, loops, kernels, pool
// (spyre-coarse-tiling-and-bundle 19). A key is left out when its pass did not run.
#pragma once

#include "engine/io/plan/plan_fields.h"
#include "engine/io/plan/plan_items_writer.h"
#include "engine/json/json_text.h"
#include "engine/plan/plan.h"

#include <string_view>
#include <vector>

namespace memplan::io {

/// A list for each loop level.
void writeLevels(JsonWriter& w, std::string_view key, const std::vector<std::vector<int>>& levels);
[[nodiscard]] std::vector<std::vector<int>> readLevels(PlanFields& f, TapeIndex object, std::string_view key);

/// Into the open object target_data.
void writeBundleData(JsonWriter& w, const Plan& plan, PlanItemsWriter& items);
/// What emptying the scratchpad behind a kernel costs is a decision of the plan: refuses another figure. For plans that
/// hold their decisions.
void checkBoundaryBytes(PlanFields& f, TapeIndex targetData, const Plan& plan);
[[nodiscard]] SpyreBundleData readBundleData(PlanFields& f, TapeIndex targetData);

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
// target_data of a Spyre plan beside its ops: propagation, loops, kernels, pool
// (spyre-coarse-tiling-and-bundle 19). A key is left out when its pass did not run.
#pragma once

#include "engine/json/json_text.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/plan/file/plan_items_writer.h"
#include "engine/plan/plan.h"
#include "engine/plan/spyre_data.h"

#include <string_view>
#include <vector>

namespace memplan::spyre {

/// A list for each loop level.
void writeLevels(io::JsonWriter& w, std::string_view key, const std::vector<std::vector<int>>& levels);
[[nodiscard]] std::vector<std::vector<int>> readLevels(io::PlanFields& f, io::TapeIndex object, std::string_view key);

/// Into the open object target_data.
void writeBundleData(io::JsonWriter& w, const Plan& plan, io::PlanItemsWriter& items);
/// What emptying the scratchpad behind a kernel costs is a decision of the plan: refuses another figure. For plans that
/// hold their decisions.
void checkBoundaryBytes(io::PlanFields& f, io::TapeIndex targetData, const Plan& plan);
[[nodiscard]] SpyreData readBundleData(io::PlanFields& f, io::TapeIndex targetData);

}  // namespace memplan::spyre

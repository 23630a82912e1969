// SPDX-License-Identifier: Apache-2.0
// target_data.co_optimization, target_data.cost_estimate and target_data.operation_order of a Spyre plan file
// (spyre-coarse-tiling-and-bundle 19, spyre-cost-and-co-optimisation 8).
#pragma once

#include "engine/json/json_text.h"
#include "engine/plan/co_optimization.h"
#include "engine/plan/cost_estimate.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/plan/operation_order.h"

namespace memplan::spyre {

void writeCoOptimization(io::JsonWriter& w, const CoOptimization& trace);
[[nodiscard]] CoOptimization readCoOptimization(io::PlanFields& f, io::TapeIndex at);
void writeCostEstimate(io::JsonWriter& w, const CostEstimate& estimate);
[[nodiscard]] CostEstimate readCostEstimate(io::PlanFields& f, io::TapeIndex at);
void writeOperationOrder(io::JsonWriter& w, const OperationOrder& order);
[[nodiscard]] OperationOrder readOperationOrder(io::PlanFields& f, io::TapeIndex at);

}  // namespace memplan::spyre

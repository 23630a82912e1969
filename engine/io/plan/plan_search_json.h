// SPDX-License-Identifier: Apache-2.0
// target_data.co_optimization, target_data.cost_estimate and target_data.operation_order of a Spyre plan file
// (spyre-coarse-tiling-and-bundle 19, spyre-cost-and-co-optimisation 8).
#pragma once

#include "engine/io/plan/plan_fields.h"
#include "engine/json/json_text.h"

namespace memplan::io {

void writeCoOptimization(JsonWriter& w, const CoOptimization& trace);
[[nodiscard]] CoOptimization readCoOptimization(PlanFields& f, TapeIndex at);
void writeCostEstimate(JsonWriter& w, const CostEstimate& estimate);
[[nodiscard]] CostEstimate readCostEstimate(PlanFields& f, TapeIndex at);
void writeOperationOrder(JsonWriter& w, const OperationOrder& order);
[[nodiscard]] OperationOrder readOperationOrder(PlanFields& f, TapeIndex at);

}  // namespace memplan::io

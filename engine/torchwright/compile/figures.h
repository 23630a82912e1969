// SPDX-License-Identifier: Apache-2.0
// The figures that only a plan for this machine has (torchwright.md 14, "In the plan file").
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/target/figure.h"

#include <span>

namespace memplan::torchwright {

[[nodiscard]] std::span<const FigureInfo> figures();
/// Columns in use after a layer, as a share of the stream: mean over the layers.
[[nodiscard]] double meanOccupancy(const Schedule& schedule);
/// By key, as PlanMetrics::own holds them. The bound is that of the graph that was scheduled.
[[nodiscard]] std::vector<std::pair<std::string, double>> ownFigures(const NodeGraph& graph, const Schedule& schedule);

}  // namespace memplan::torchwright

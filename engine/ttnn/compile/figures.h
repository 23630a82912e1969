// SPDX-License-Identifier: Apache-2.0
// The goals as figures of a plan's metrics (ttnn-optimizer 15.1).
#pragma once

#include "engine/plan/ttnn_data.h"
#include "engine/target/figure.h"

#include <span>

namespace memplan::ttnn {

[[nodiscard]] std::span<const FigureInfo> figures();
/// By key, as PlanMetrics::own holds them; core_utilisation and the estimate are metrics that every machine has.
[[nodiscard]] std::vector<std::pair<std::string, double>> ownFigures(const TtnnGoals& goals);

}  // namespace memplan::ttnn

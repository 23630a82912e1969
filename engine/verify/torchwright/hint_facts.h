// SPDX-License-Identifier: Apache-2.0
// Hints that a plan calls applied against what its layers do (hints.md 4.3).
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/report.h"

#include <optional>
#include <vector>

namespace memplan::verify::torchwright {

void checkHints(const Plan& plan, const TorchwrightData& data, Report& report);

/// By node the first layer that the hints in force allow it, as far as it decides when something is computed; empty
/// without such hints. Nothing where the plan does not say which subjects of a hint are in force.
[[nodiscard]] std::optional<std::vector<int>> layerMinOf(const Plan& plan,
                                                         const memplan::torchwright::NodeGraph& graph);

}  // namespace memplan::verify::torchwright

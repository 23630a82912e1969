// SPDX-License-Identifier: Apache-2.0
// What Spyre adds to the figures of a whole plan: the estimate and the joint search.
#pragma once

#include "engine/target/target.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// Which model priced the plan; a calibration file with where its figures come from. Empty without estimate.
[[nodiscard]] std::string modelText(const Plan& plan);
[[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan);

}  // namespace memplan::spyre

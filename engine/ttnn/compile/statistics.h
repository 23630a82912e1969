// SPDX-License-Identifier: Apache-2.0
// Figures of a TTNN plan in words, for `memplan explain` and the inspector (ttnn-optimizer 15.1).
#pragma once

#include "engine/target/target.h"

namespace memplan::ttnn {

[[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan);
/// Of one operation: layout, cores, need, time and what it is bound by.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op);

}  // namespace memplan::ttnn

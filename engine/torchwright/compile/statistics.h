// SPDX-License-Identifier: Apache-2.0
// The tables of torchwright.md 14 in words, for `memplan explain --stats`; facts of one operation.
#pragma once

#include "engine/target/target.h"

namespace memplan::torchwright {

[[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op);

}  // namespace memplan::torchwright

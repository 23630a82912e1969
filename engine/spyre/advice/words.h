// SPDX-License-Identifier: Apache-2.0
// What Spyre adds to the explanation of a buffer or an operation (spyre-scratchpad 18).
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

/// What would bring a buffer off chip on chip, smallest change first, by its reason.
[[nodiscard]] std::vector<std::string> changesInWords(const Plan& plan, BufferId buffer);
/// False for a buffer without room that the pass for boundaries of kernels keeps off, not the packing.
[[nodiscard]] bool lostThePacking(const Plan& plan, const PlanBuffer& buffer);
/// Label and text: the operation's part of its kernel's price.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op);

}  // namespace memplan::spyre

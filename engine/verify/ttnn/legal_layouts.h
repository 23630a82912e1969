// SPDX-License-Identifier: Apache-2.0
// The sharded layouts that an operation can choose from (ttnn-optimizer 3.2, 3.3), with nothing of the planner.
#pragma once

#include "engine/plan/ttnn_data.h"
#include "engine/verify/ttnn/layouts.h"

#include <optional>
#include <vector>

namespace memplan::verify::ttnn {

/// Of one tensor type in L1, those with most cores first; without core ranges.
[[nodiscard]] std::vector<Layout> legalSharded(ShapeSpan shape, memplan::ttnn::DataType dtype,
                                               memplan::ttnn::PageLayout page, const Device& device);

/// False where layouts are forced or checked one by one, which leaves others than the rules give.
[[nodiscard]] bool followsRules(const Plan& plan);
/// How many sharded layouts of one page layout the limit keeps.
[[nodiscard]] std::int64_t keptOfAPage(const Plan& plan);
/// Page layouts that are considered, in their order.
[[nodiscard]] std::vector<memplan::ttnn::PageLayout> pagesOf(const Plan& plan);
/// It has the layout that the module states, and chooses none.
[[nodiscard]] bool isKept(const TtnnOp& op);
/// Sharded layouts of the operation after the cut to the limit, in the order of its configurations; nothing for one
/// that chooses none, and where a plan does not follow the rules.
[[nodiscard]] std::optional<std::vector<Layout>> shardedChoices(const Plan& plan, OpId op);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// The order of a transformed function (ttnn-optimizer 7 step 1).
#pragma once

#include "engine/ttnn/module/module.h"

#include <vector>

namespace memplan::ttnn {

/// The scheduled operations one directly behind the other; those outside the schedule (`empty`, `get_device`,
/// operations of other dialects) before their first use, else at the end, in the order they had. A `deallocate` never
/// comes before another use of its tensor. Without a schedule the order stays.
[[nodiscard]] std::vector<OperationId> transformedOrder(const Function& function,
                                                        const std::vector<OperationId>& schedule);

}  // namespace memplan::ttnn

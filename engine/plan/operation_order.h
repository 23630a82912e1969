// SPDX-License-Identifier: Apache-2.0
// The change that re-ordering made to the schedule: target_data.operation_order of a plan
// (scratchpad 14.2). Names, not positions: ops come and go after it.
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan {

struct OperationOrder {
    std::vector<std::string> original;  ///< names of the ops in the order before
    std::vector<int> permutation;       ///< per new position the position in `original`
    /// The value of the hint op_order that repeats the new order: graph op ids. Empty when none does, because ops
    /// that passes added stand apart from the operation they serve.
    std::vector<std::string> graphOrder;
    std::string method;  ///< list_scheduling, local_search
    Bytes trafficBefore = 0,
          trafficAfter = 0;               ///< main-memory bytes of the solved plans, clones without place left out
    Bytes peakBefore = 0, peakAfter = 0;  ///< largest sum of live candidate bytes on a core
    std::int64_t distance = 0;            ///< sum of how far each op moved, in steps
    std::int64_t trials = 0;              ///< plans that were solved
    friend bool operator==(const OperationOrder&, const OperationOrder&) = default;
};

}  // namespace memplan

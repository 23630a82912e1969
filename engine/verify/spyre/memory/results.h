// SPDX-License-Identifier: Apache-2.0
// Which buffers hold what the graph returns when a plan has run.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <vector>

namespace memplan::verify {

enum class Returned {
    No,
    Whole,   ///< a result of the graph is this buffer
    View,    ///< a result of the graph is seen through it
    Unclear  ///< one or the other: the plan does not say which tensor the buffer holds
};

/// By buffer; nullopt where neither the execution record nor the plan says where the results are.
[[nodiscard]] std::optional<std::vector<Returned>> returnedBuffers(const Plan& plan);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// How many layouts and configurations the search space has (ttnn-optimizer 3.1 to 3.4), counted from the operations of
// the plan with nothing of the planner.
#pragma once

#include "engine/plan/ttnn_data.h"

#include <cstdint>
#include <optional>

namespace memplan::verify::ttnn {

/// Both ends inside: a plan does not say what a module stated of a convolution or a conversion, nor what its other
/// functions hold.
struct CountRange {
    std::int64_t least = 0, most = 0;
};

struct SpaceFigures {
    CountRange scalars;                     ///< scalar types of the module (3.1)
    std::int64_t tensors = 0, layouts = 0;  ///< results of operations, and legal tiled layouts of them (3.2)
    std::int64_t kept = 0, cut = 0;         ///< sharded layouts of operations that the limit keeps and cuts (3.3)
    CountRange configs, sharded;            ///< configurations, and those in sharded L1 (3.4)
};

/// Nothing where layouts are forced or checked one by one, which leaves others than the rules give.
[[nodiscard]] std::optional<SpaceFigures> spaceFigures(const Plan& plan);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// The policies of the memory layout analysis behind one interface (ttnn-optimizer 4 to 6, 8.6, 12): they differ only in
// how they come to a solution.
#pragma once

#include "engine/ttnn/options/options.h"
#include "engine/ttnn/solution/solution.h"

#include <span>

namespace memplan::ttnn {

using PolicyFunction = Solution (*)(const PolicyInput&);

struct PolicyRow {
    Policy policy;
    PolicyFunction run;
};
/// In the order of `Policy`.
[[nodiscard]] std::span<const PolicyRow> policies();
[[nodiscard]] PolicyFunction policyFunction(Policy policy);
/// That of the options.
[[nodiscard]] Solution runPolicy(const PolicyInput& input);

}  // namespace memplan::ttnn

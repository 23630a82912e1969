// SPDX-License-Identifier: Apache-2.0
// OpConfigAnalysis (ttnn-optimizer 2 step 8): one configuration for every operation that no policy has decided.
#pragma once

#include "engine/ttnn/search/search_space.h"
#include "engine/ttnn/solution/solution.h"

namespace memplan::ttnn {

/// The first configuration with the page layout that the operation's result has now, else the first; null where the
/// operation has none.
[[nodiscard]] const OpConfig* defaultConfig(const Function& function, const OpSpace& space, OperationId op);

/// Fills the configurations that are missing; afterwards there is one for each operation that has any.
void completeConfigs(const Function& function, const SearchSpace& space, Solution& solution);

}  // namespace memplan::ttnn

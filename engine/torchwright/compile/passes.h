// SPDX-License-Identifier: Apache-2.0
// The passes of pipeline.md 3 as rows of one table.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/torchwright/compile/state.h"

#include <vector>

namespace memplan::torchwright {

using Pass = PassOver<State>;

[[nodiscard]] const std::vector<Pass>& pipeline();

}  // namespace memplan::torchwright

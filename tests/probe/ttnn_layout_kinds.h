// SPDX-License-Identifier: Apache-2.0
// Kinds of ttnn-optimizer 1, 3 and 8: layouts, search space, overrides.
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerTtnnLayouts(Registry& registry);

}  // namespace memplan::probe

// SPDX-License-Identifier: Apache-2.0
// Kinds of ttnn-optimizer 4 to 6: schedule and chains, ShardSolver, states of a chain, rules of the merges.
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerTtnnChains(Registry& registry);

}  // namespace memplan::probe

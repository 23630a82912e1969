// SPDX-License-Identifier: Apache-2.0
// Kinds hint_groups, coarse_tile, propagation, loop_tree, fuse, hbm_pool (spyre-coarse-tiling-and-bundle 18).
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerTiling(Registry& registry);

}  // namespace memplan::probe

// SPDX-License-Identifier: Apache-2.0
// What the maps of a windowed graph op mean for the loops: a pool over the whole map, a kernel of 1.
#pragma once

#include "engine/graph/graph.h"

namespace memplan::spyre {

/// A pool whose kernel is the whole map is a reduction: no input dimension is moved by two loops.
[[nodiscard]] bool isWholeMapPool(const memplan::Op& op);
/// Every input dimension is moved by at most one loop, with step 1, and only channels are summed.
[[nodiscard]] bool isPointKernel(const memplan::Op& op);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Why there is no schedule: TW-013 to TW-017 (codes.md 6).
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

namespace memplan::torchwright {

/// Of a schedule that is not ok; with the widest owners of columns where that is what it ran into. `isSearched`: with
/// torchwright.optimize above 0.
[[nodiscard]] Error failureOf(const NodeGraph& graph, const Schedule& schedule, bool isSearched);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// A neutral graph as nodes of this machine (inputs-and-interchange 6, torchwright column). It works on one token
// position: of a tensor one axis may count positions, all others together are the features.
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/lower/lowered_graph.h"

namespace memplan::torchwright {

/// Error: TW-001 with the first operation that has no form, and why.
[[nodiscard]] Result<LoweredGraph> lowered(const Graph& graph);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// A neutral graph as a module of TTIR (inputs-and-interchange 1.2, 6), to be lowered like any other.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/ttnn/module/module.h"

namespace memplan::ttnn {

/// One function `main`. The location of each operation is named after the operation of the graph that it stands for,
/// the last one of a group that becomes a single operation. What TTIR has no form for becomes an operation of its
/// name that lowering keeps opaque. Images are computed with channels last from one convolution or pool to the next.
/// MLIR-008 for a graph that computes nothing.
[[nodiscard]] Result<Module> moduleOfGraph(const Graph& graph);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Direct evaluation of a graph in float64 (torchwright.md 4): what the compiled transformer is measured against. It
// knows nothing of layers and columns.
#pragma once

#include "engine/base/run_control.h"
#include "engine/torchwright/eval/inputs.h"

namespace memplan::torchwright {

/// Value of every node, by id. Errors: TW-022 inputs do not fit the graph, TW-023 the graph has no weights or is too
/// large to be evaluated, CANCELLED.
[[nodiscard]] Result<std::vector<Rows>> evaluateNodes(const NodeGraph& graph, const GraphInputs& inputs,
                                                      const RunControl& control = {});
/// Value of the output alone.
[[nodiscard]] Result<Rows> evaluate(const NodeGraph& graph, const GraphInputs& inputs, const RunControl& control = {});

/// Sine and cosine columns of the positions from `first` on; the last but one is the position itself.
[[nodiscard]] Rows positionRows(std::size_t first, std::size_t count, Columns width);

}  // namespace memplan::torchwright

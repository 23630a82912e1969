// SPDX-License-Identifier: Apache-2.0
// Where conversions pay along a path of operations (ttnn-optimizer 12.3): the cheapest way through a graph of layers, a
// layer per operation with its configurations, conversions allowed on every edge. A prefix of the path that is left as
// it is costs nothing more, so that a path is also cut where that is best (12.2).
#pragma once

#include "engine/ttnn/assign/editor.h"

#include <vector>

namespace memplan::ttnn {

/// Paths that cover all operations: each follows a value to its first reader that no other path has.
[[nodiscard]] std::vector<std::vector<OperationId>> pathsOf(Evaluator& evaluator);

/// Applies the cheapest placement of these operations to the assignment; everything else, and what other operations
/// read from them, stays as it is. False where there is none but the present one, or none that is faster by more than
/// that share of the present time of the path.
bool placePath(Evaluator& evaluator, AssignmentEditor& editor, const std::vector<OperationId>& path, double leastGain);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// Chains that are graphs (ttnn-optimizer 12.1): a constraint over all operands of an operation in place of one for each
// edge.
#pragma once

#include "engine/ttnn/assign/assignment.h"

namespace memplan::ttnn {

/// Layouts by arc consistency over tuples (operand layouts, result layout), most cores first, for every connected group
/// of operations that can be sharded and whose results have one reader. What cannot run with what it is given in L1
/// reads from DRAM and begins anew (12.2). Room in L1 is not looked at beyond one operation at a time.
[[nodiscard]] Assignment tupleSearch(Evaluator& evaluator);

}  // namespace memplan::ttnn

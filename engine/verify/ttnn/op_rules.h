// SPDX-License-Identifier: Apache-2.0
// What an operation needs on a core and whether its layouts may stand beside each other: chapter 9 of ttnn-optimizer
// read a second time, for the validator.
#pragma once

#include "engine/verify/ttnn/demand.h"
#include "engine/verify/ttnn/op_facts.h"

namespace memplan::verify::ttnn {

/// `conservative` = ttnn.conservative_matmul_cb.
[[nodiscard]] Demand demandOf(const OpFacts& op, bool conservative);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// Why a value is off chip (codes.md 1).
#pragma once

#include "engine/plan/buffer.h"
#include "engine/ttnn/compile/state.h"

namespace memplan::ttnn {

/// `value` of the current function, which lies outside L1. `names` of its operations.
[[nodiscard]] Reason reasonOf(const State& state, ValueId value, const std::vector<std::string>& names);

}  // namespace memplan::ttnn

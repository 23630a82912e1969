// SPDX-License-Identifier: Apache-2.0
// What became of hints, read off the finished function (hints.md 3, 4.2).
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/ttnn/compile/state.h"

#include <cstddef>

namespace memplan::ttnn {

/// An outcome for each subject of each hint of this machine.
void reportHints(const State& state, PassContext& context);

/// For an operation that may not run at its position. TT-031 or TT-033 where it runs nowhere, whatever is planned; else
/// INT-003: a policy has broken a rule.
[[nodiscard]] Error violated(const State& state, std::size_t measure);

}  // namespace memplan::ttnn

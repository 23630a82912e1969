// SPDX-License-Identifier: Apache-2.0
// What became of layouts, conversions and configurations that were forced by text (ttnn-optimizer 8.2 to 8.5), read off
// the finished function.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/ttnn/compile/state.h"

namespace memplan::ttnn {

/// A warning at each operation where the plan does not keep an override: the code of what refused it, TT-031 where
/// nothing did; TT-015 where an option takes its effect away. What a hint asked for `reportHints` answers.
void reportOverrides(const State& state, PassContext& context);

}  // namespace memplan::ttnn

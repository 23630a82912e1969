// SPDX-License-Identifier: Apache-2.0
// Operations of TTNN without a model (ttnn-optimizer 9.1).
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/ttnn/compile/state.h"

namespace memplan::ttnn {

/// One note TT-030 with all kinds and their counts. For modules of TTNN: what lowering keeps opaque
/// has its own.
void reportUnmodelled(const State& state, PassContext& context);

}  // namespace memplan::ttnn

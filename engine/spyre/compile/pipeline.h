// SPDX-License-Identifier: Apache-2.0
// The Spyre pipeline as data (pipeline.md 1).
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/state.h"

#include <vector>

namespace memplan::spyre {

/// In run order, the rows above steps included.
[[nodiscard]] const std::vector<CompilationOver<State, PassContext>::Row>& pipelineRows();

}  // namespace memplan::spyre

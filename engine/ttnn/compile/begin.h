// SPDX-License-Identifier: Apache-2.0
// The state that a compile begins with.
#pragma once

#include "engine/pipeline/request.h"
#include "engine/ttnn/compile/state.h"

namespace memplan::ttnn {

/// Out of the module of a file or of a neutral graph. Errors: TT-003, TT-010 to TT-015, TT-040, MLIR-007, MLIR-008.
[[nodiscard]] Result<State> stateOf(const CompileRequest& request);
/// Content of the file that `ttnn.system_desc` names (TT-014).
[[nodiscard]] Result<SettingFiles> readSystemDescription(const Settings& settings);
/// Finds the operations of the graph that those of the lowered function stand for, by their locations.
void linkSources(State& state);

}  // namespace memplan::ttnn

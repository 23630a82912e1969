// SPDX-License-Identifier: Apache-2.0
// The files of a finished plan: the optimised module and the override string (ttnn-optimizer 8, 10.4).
#pragma once

#include "engine/target/target.h"

namespace memplan::ttnn {

/// `module.mlir` and `overrides.txt`. EXP-006 for a plan that was read from a file: it has no module.
[[nodiscard]] Result<std::vector<Artefact>> planArtefacts(const Plan& plan, Diagnostics& notes);

}  // namespace memplan::ttnn

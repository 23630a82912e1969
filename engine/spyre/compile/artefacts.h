// SPDX-License-Identifier: Apache-2.0
// The target's own files of a finished plan (command-line `--export`).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

/// Path below the export folder and text. Spyre: output_code.py and one bundle directory per kernel, as the
/// plan's settings ask for them. EXP-006 when the plan has no OpSpec trees (stopped before build_op_specs)
/// or, read from a file without execution record, not the order of its outputs.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> planArtefacts(const Plan& plan,
                                                                                     Diagnostics& notes);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The row above the steps of scratchpad planning, and how each step describes itself (pipeline.md 1, pass 16).
#pragma once

#include "engine/spyre/pass.h"
#include "engine/spyre/program_edit.h"

namespace memplan::spyre {

[[nodiscard]] const PassInfo& scratchpadPlanningInfo();
[[nodiscard]] PassInfo scratchpadStep(const PassText& text);

}  // namespace memplan::spyre

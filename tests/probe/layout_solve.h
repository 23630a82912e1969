// SPDX-License-Identifier: Apache-2.0
// Probe kind `layout_solve` (command-line.md, last chapter; spyre-scratchpad 16).
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerLayoutSolve(Registry& registry);

}  // namespace memplan::probe

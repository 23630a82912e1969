// SPDX-License-Identifier: Apache-2.0
// Kinds pipeline, a whole module with the original's options, and layout_score_compare (ttnn-optimizer 12.4, 14).
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerTtnnPipeline(Registry& registry);

}  // namespace memplan::probe

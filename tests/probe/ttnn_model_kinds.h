// SPDX-License-Identifier: Apache-2.0
// Kinds of ttnn-optimizer 9: the operation model and its budget.
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerTtnnModel(Registry& registry);

}  // namespace memplan::probe

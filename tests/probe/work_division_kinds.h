// SPDX-License-Identifier: Apache-2.0
// Probe kinds of vectors/spyre-work-division.jsonl (spyre-layouts-and-work-division 21).
#pragma once

#include "tests/probe/registry.h"

namespace memplan::probe {

void registerWorkDivision(Registry& registry);

}  // namespace memplan::probe

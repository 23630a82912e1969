// SPDX-License-Identifier: Apache-2.0
// Does every core hold what it reads from its own scratchpad: recomputed from splits, indices and layouts alone
// (spyre-layouts-and-work-division 14, spyre-scratchpad 3.3). The slices that the plan records are not looked at.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify {

/// VER-008 for every on-chip buffer of which a core reads elements along some device dimension that it did not write.
/// Relayouts fetch the slices of other cores and are left out, as are data-dependent indices.
[[nodiscard]] std::vector<Diagnostic> checkOwnership(const Plan& plan);

}  // namespace memplan::verify

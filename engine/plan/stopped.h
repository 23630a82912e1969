// SPDX-License-Identifier: Apache-2.0
// What a compile that was stopped early (`--stop-after`) has and has not decided.
#pragma once

#include "engine/plan/plan.h"

namespace memplan {

/// True when the compile came as far as giving addresses. A plan stopped before has no memory, no metrics and, for
/// buffers of which nothing is known yet, no reason (command-line "Plan file": keys that later passes provide).
[[nodiscard]] bool isPlacementDecided(const Plan& plan);

/// True when the compile came as far as saying why each buffer off chip is there, which is one step after the
/// addresses.
[[nodiscard]] bool areReasonsGiven(const Plan& plan);

/// True when the compile was stopped before it was decided where this buffer is: not off chip, only not known.
[[nodiscard]] bool isUndecided(const Plan& plan, const PlanBuffer& buffer);

}  // namespace memplan

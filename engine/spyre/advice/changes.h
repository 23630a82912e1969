// SPDX-License-Identifier: Apache-2.0
// Which single changes are worth a compile, by the reason of the buffer (codes.md 1, spyre-scratchpad 18).
#pragma once

#include "engine/target/change.h"

#include <vector>

namespace memplan::spyre {

/// Smallest first: a hint on one buffer or operation, then on several, then another solver, then settings of the whole
/// compile. Same plan, same list.
[[nodiscard]] std::vector<advice::Change> candidateChanges(const Plan& plan, BufferId buffer);

}  // namespace memplan::spyre

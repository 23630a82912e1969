// SPDX-License-Identifier: Apache-2.0
// Free renaming of buffers with lifetimes only (scratchpad 14.1a): a buffer whose content is dead for a while is
// another buffer behind that, `name.k`, and may have another address there.
#pragma once

#include "engine/solve/problem/address_problem.h"

namespace memplan::solve {

/// Cuts every item at the gaps in which nothing of it is live, a gap of no length (an overwrite directly behind the
/// last use) included. Items in one piece stay as they are; parts follow each other in the item's place. A child keeps
/// the part of its parent that dies at its birth.
[[nodiscard]] Problem withFreeRenaming(const Problem& problem);

/// Without gaps of no length, which only renaming has a use for.
[[nodiscard]] Problem withoutEmptyGaps(Problem problem);

}  // namespace memplan::solve

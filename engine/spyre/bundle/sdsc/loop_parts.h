// SPDX-License-Identifier: Apache-2.0
// Loops that walk a tensor in pieces: rows that are joined or parted by a copy. The labels of a SuperDSC file move by
// one constant step each, so such a loop becomes several labels (spyre-coarse-tiling-and-bundle 13.2 step 1) [ours].
#pragma once

#include "engine/plan/op_spec/op_spec.h"

namespace memplan::bundle {

/// The op with every loop that floors cut in whole pieces written as one loop for the pieces and one inside of a piece.
/// Products, transfers between cores, pieces that are no whole sticks, and slices that end inside of a piece without
/// dividing it in whole sticks are left as they are.
[[nodiscard]] OpSpec withLoopParts(const OpSpec& op);

}  // namespace memplan::bundle

// SPDX-License-Identifier: Apache-2.0
// Sizes of tensors that a bundle without its wrapper source does not record
// (spyre-coarse-tiling-and-bundle 17.1, 17.6).
#pragma once

#include "engine/plan/plan.h"

namespace memplan::spyre {

/// Extents are rounded up for all tensors of an op: a tensor of the pool of main memory ends at the latest where the
/// next live one begins. Those that are cut lose their layout, which has another size. Returns how many were cut.
int cutPoolSizes(Plan& plan);

/// What is reported of `count` such tensors: BND-109.
[[nodiscard]] Diagnostic cutSizesNote(int count);

}  // namespace memplan::spyre

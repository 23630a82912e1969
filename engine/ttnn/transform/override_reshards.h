// SPDX-License-Identifier: Apache-2.0
// Reshards that overrides force (ttnn-optimizer 2 steps 1, 5, 7; 8.3), and the slice configuration of convolutions.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/options/options.h"
#include "engine/ttnn/solution/solution.h"

#include <vector>

namespace memplan::ttnn {

/// Names in overrides that no operation of the module has: TT-001 for each; names that two operations share: TT-004,
/// if `check-unique-locs`. Warnings: a convolution's configuration at another operation (TT-015), blocks of rows that
/// are no whole tiles (TT-014). `source` is the module before lowering, whose operations may have become parts of
/// others; null where that is not there.
[[nodiscard]] Result<std::vector<Diagnostic>> checkOverrides(const Module& module, const Options& options,
                                                             const Module* source = nullptr);

/// One entry per operand that `insert-memreconfig` names in this function, by consumer in program order, then operand.
/// A position outside the operands or of one that is no tensor: TT-013. Conversions are never matched.
[[nodiscard]] Result<std::vector<Reshard>> collectOverrideReshards(const Function& function, const Options& options);

/// The solution has refused a reshard that was forced there.
[[nodiscard]] bool isLeftOut(const Solution& solution, const Use& use);

/// Adds those that the solution has no reshard for and has not refused.
void applyOverrideReshards(const std::vector<Reshard>& overrides, Solution& solution);

/// Sets `conv2d_slice_config = <l1_full, 0>` on each convolution: the others cut it into slices in DRAM.
void forceFullSlices(Function& function);

}  // namespace memplan::ttnn

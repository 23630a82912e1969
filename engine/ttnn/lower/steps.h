// SPDX-License-Identifier: Apache-2.0
// The steps of lowering, in the order in which they run.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/lower/opaque_kind.h"
#include "engine/ttnn/module/module.h"

#include <vector>

namespace memplan::ttnn::lower {

/// Replaces `func.call` by what the function does that it calls, and drops private functions that nobody calls then.
[[nodiscard]] Result<void> spliceCalls(Module& module, int depth, std::string_view planned);

/// What `sdy.manual_computation` runs on each device becomes part of the function, between operations that deal values
/// out to the devices and collect them.
void inlineManualComputations(Function& function);

/// StableHLO operations as the TTIR operations of the same meaning; those that have none keep their names.
void stableHloToTtir(Function& function);

/// Drops the empty tensors that older modules name as the places of results (11, step 3).
void dropBuffers(Function& function);

/// Gives a broadcast value as it was before to operations that repeat operands by themselves.
void foldBroadcasts(Function& function);

/// Reshapes, permutations and casts that change nothing, linear, bias, activations, silu, relu.
void fuse(Function& function);

/// TTIR as TTNN, without layouts. What becomes opaque is added to `opaque`.
[[nodiscard]] Function toTtnn(const Function& function, std::vector<OpaqueKind>& opaque);

/// Gives every tensor without a layout its first one (11, step 5).
void assignLayouts(Module& module, Function& function);

/// Converts operands that kernels read from L1 with a core for each user.
void convertUserOperands(const Device& device, Function& function);

}  // namespace memplan::ttnn::lower

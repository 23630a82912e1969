// SPDX-License-Identifier: Apache-2.0
// The loop tree, the HBM pool and the kernels of a planned program (spyre-coarse-tiling-and-bundle 6, 7, 14).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <vector>

namespace memplan::spyre {

/// Intermediates in main memory that the pool may hold: written and read inside the graph by operations of
/// the accelerator, no result of the graph. Lifetimes reach to the end of every loop that reads what was
/// written before it.
[[nodiscard]] HbmPool poolOf(const State& state);

/// The tree of all ops but allocations, in list order. CT-006 to CT-008.
[[nodiscard]] Result<std::vector<LoopNode>> loopTreeOf(const Program& program);

/// Kernels over program.loopTree. CT-009 for a loop with too many tensors.
[[nodiscard]] Result<std::vector<Kernel>> kernelsOf(const State& state, bool fusionEnabled);

/// A loop over program.loopTree that touches more tensors in main memory than one kernel can address.
struct OversizedLoop {
    std::size_t group = 0;  ///< position in Program::tileGroups
    int tensors = 0, limit = 0;
};
[[nodiscard]] std::vector<OversizedLoop> oversizedLoops(const State& state);

/// Ops below a node, in order.
void collectOps(const LoopNode& node, std::vector<OpId>& ops);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// spyre_fuse_nodes: which nodes make one kernel (spyre-coarse-tiling-and-bundle 7). Order never changes.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace memplan::spyre {

struct FusionNode {
    enum class Kind { Op, Loop, Fallback };
    std::string name;
    Kind kind = Kind::Op;
    std::vector<int> external;  ///< distinct tensors it touches that have no LX or pool address yet
};

/// Address slots for tensors of one kernel: 6, or 5 when the graph has a pool.
[[nodiscard]] int kernelTensorLimit(bool hasPool);

/// Positions of the nodes of each kernel. CT-009 when a loop alone exceeds the limit.
[[nodiscard]] Result<std::vector<std::vector<int>>> fuseNodes(const std::vector<FusionNode>& nodes, bool hasPool,
                                                              bool fusionEnabled);

}  // namespace memplan::spyre

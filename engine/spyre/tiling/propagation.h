// SPDX-License-Identifier: Apache-2.0
// insert_tiling_propagation (spyre-coarse-tiling-and-bundle 4): what happens to the result of each tiled op.
// Decides; the pass edits the program.
#pragma once

#include "engine/spyre/program.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// An op by name, which is also the name of its result.
struct TiledNode {
    std::string name;
    std::vector<std::string> reads;
    int group = -1;          ///< first element of loop_group_id, -1 outside of loops
    bool isComputed = true;  ///< pointwise or reduction
};

struct PropagationDecision {
    int node = -1;  ///< position in the given list
    PropagationCase kind = PropagationCase::LoopInternal;
    bool perTileFixed = false;
    std::string fullBuffer;  ///< name of the buffer to allocate, empty for loop-internal results
};

struct PropagationPlan {
    std::vector<PropagationDecision> decisions;  ///< groups in order, ops in list order
    /// Entry of the new operation list: a node, the allocation of a decision, or the copy of a decision.
    struct Entry {
        enum Kind { Node, Allocation, Copy } kind = Node;
        int at = 0;  ///< position of the node or of the decision
    };
    std::vector<Entry> order;
};

/// `outputs` are names of graph outputs. `copyWhenInputInternal` is the later policy of 4.4. `takenNames`
/// are further buffer names that a full buffer must not get; the nodes' own need not be listed.
[[nodiscard]] PropagationPlan planPropagation(const std::vector<TiledNode>& nodes,
                                              const std::vector<std::string>& outputs, bool copyWhenInputInternal,
                                              const std::vector<std::string>& takenNames);

/// Name of the copy that carries the tile out of the loop.
[[nodiscard]] std::string tileCopyName(const std::string& buffer);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Operation order before scratchpad planning: every outer loop group becomes one contiguous block, otherwise
// the order stays (spyre-cost-and-co-optimisation 19).
#pragma once

#include <string>
#include <vector>

namespace memplan::spyre::joint {

/// What ordering needs of an operation; it writes the buffer of its own name and those it mutates.
struct OrderedOp {
    std::string name;
    std::vector<std::string> reads;
    std::vector<std::string> mutates;
    std::vector<int> loopPath;  ///< loop ids around it, outermost first; empty = in no loop
};

struct OperationOrder {
    std::vector<std::size_t> order;  ///< positions in the given list
    bool groupsMadeAtomic = false;   ///< false: a cycle between a group and an outside op kept the order
    std::vector<std::vector<std::size_t>> predecessors;  ///< ascending, per op
};

[[nodiscard]] OperationOrder orderOperations(const std::vector<OrderedOp>& ops);

}  // namespace memplan::spyre::joint

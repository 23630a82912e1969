// SPDX-License-Identifier: Apache-2.0
// Schedule and L1 chains of a function (ttnn-optimizer 4.2): depth first, along first operands with one use.
#pragma once

#include "engine/ttnn/chains/chain.h"
#include "engine/ttnn/chains/flow.h"
#include "engine/ttnn/options/options.h"

#include <optional>
#include <vector>

namespace memplan::ttnn {

struct ChainRules {
    std::vector<bool> hasSharded;  ///< by OperationId: it has a legal sharded configuration
    bool concatChains = true;      ///< off: a concatenation is in no chain
    const ChainHints* hints = nullptr;

    /// Its kind may stand in a chain.
    [[nodiscard]] bool isKindChained(const Operation& operation) const;
};

struct Chaining {
    std::vector<OperationId> schedule;
    std::vector<Chain> chains;                       ///< Built
    std::vector<std::optional<EndedBy>> notChained;  ///< by OperationId: why a scheduled operation is in none
};

struct ChainEnd {
    EndedBy reason = EndedBy::NoNext;
    OperationId at;  ///< the operation that did not continue the chain
    int operand = 0;
};
/// Why a chain that ends in `op` does not go on to `next`, which may be none: the first reason that holds. Hints are
/// the caller's.
[[nodiscard]] ChainEnd chainEnd(const Flow& flow, const ChainRules& rules, OperationId op, OperationId next);

[[nodiscard]] Chaining buildChains(const Flow& flow, const ChainRules& rules);

}  // namespace memplan::ttnn

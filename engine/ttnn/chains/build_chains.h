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
};

struct Chaining {
    std::vector<OperationId> schedule;
    std::vector<Chain> chains;                       ///< Built
    std::vector<std::optional<EndedBy>> notChained;  ///< by OperationId: why a scheduled operation is in none
};

[[nodiscard]] Chaining buildChains(const Flow& flow, const ChainRules& rules);

}  // namespace memplan::ttnn

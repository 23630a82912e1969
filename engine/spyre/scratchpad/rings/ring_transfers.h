// SPDX-License-Identifier: Apache-2.0
// Step ring_transfers: a buffer that its users divide differently stays on chip, and the ring moves it to the cores
// of the users that see it otherwise (spyre-cost-and-co-optimisation 17, spyre-scratchpad 14.5).
#pragma once

#include "engine/plan/statement.h"
#include "engine/spyre/cost/constants.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/buffers.h"

#include <string>
#include <vector>

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> transferOverRing(State& state, PassContext& context);

/// One shuffle of a source: the users of one view, served by one copy.
struct RingTransfer {
    Splits splits;            ///< of the copy: the destination's ownership
    std::vector<OpId> users;  ///< in op order
    double nanoseconds = 0;   ///< 17.4, split clamped to 2..8
    std::string kind;         ///< permutation, grouped gather, broadcast
    std::int64_t fanOut = 0, fanIn = 0;
    Bytes bytes = 0;  ///< over the ring, between different cores
};

struct RingPlan {
    BufferId source;
    std::vector<RingTransfer> transfers;  ///< empty when refused
    Statement refusal;                    ///< "cannot emit: ...", "cannot represent: ..."
};

/// Why the operation cannot write the source of a shuffle, or cannot read the copy of `source`; empty when it can
/// (structural conditions of 17.3).
[[nodiscard]] Statement ringProducerRefusal(const Op& producer);
[[nodiscard]] Statement ringConsumerRefusal(const Op& user, BufferId source);

/// Whether every user of the buffer sees it alike or can be served over the ring (17.3).
[[nodiscard]] RingPlan planRing(const Program& program, const BufferRules& rules, BufferId source,
                                const cost::Constants& constants = {});

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Operations that overwrite what they still have to read (proof-and-search A4.3): results are written stick by stick
// in ascending order of their addresses, each after all operands of that stick were read; cores have no order.
#pragma once

#include "engine/sim/outcome.h"
#include "engine/verify/spyre/artefact/access/ready_op.h"

namespace memplan::sim::artefact {

/// After an instance ran: an operand that was overwritten before it was read, or by another core.
[[nodiscard]] std::optional<Fault> findHazard(const ReadyOp& op, const std::vector<std::vector<Placed>>& at,
                                              std::uint32_t event);

}  // namespace memplan::sim::artefact

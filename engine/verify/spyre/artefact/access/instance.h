// SPDX-License-Identifier: Apache-2.0
// Runs one operation of a bundle once on all its cores (proof-and-search A4.3, A5).
#pragma once

#include "engine/sim/eval/functions.h"
#include "engine/sim/outcome.h"
#include "engine/verify/spyre/artefact/access/ready_op.h"

#include <optional>
#include <vector>

namespace memplan::sim::artefact {

/// Runs `op` with tensors at `at` [tensor][core]; cells get the writer `event`. The first fault ends it; its code,
/// core, tensor, memory and address are filled.
[[nodiscard]] std::optional<Fault> runInstance(const ReadyOp& op, const std::vector<std::vector<Placed>>& at,
                                               std::uint32_t event, std::uint64_t seed, InstanceCounts& counts);

}  // namespace memplan::sim::artefact

// SPDX-License-Identifier: Apache-2.0
// Feature records of a compiled program (spyre-cost-and-co-optimisation 2).
#pragma once

#include "engine/spyre/cost/features.h"
#include "engine/spyre/program.h"

#include <functional>

namespace memplan::spyre::cost {

/// True for buffers that live in LX.
using Residency = std::function<bool(BufferId)>;

/// Computes on the device, so that the model has a price for it (8.1).
[[nodiscard]] bool isModellable(const Op& op);

/// Record of one op under `splits` (per loop; empty = on one core).
[[nodiscard]] OpFeatures extractFeatures(const Program& program, const Op& op, const Splits& splits,
                                         const Residency& inLx);

}  // namespace memplan::spyre::cost

// SPDX-License-Identifier: Apache-2.0
// Lower bounds beside every plan (scratchpad 8): space L(t) and spill.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <vector>

namespace memplan::solve {

struct Bounds {
    std::vector<Bytes> spacePerTick;  ///< L(t) for t in 0 .. last end
    Bytes peakLowerBound = 0;         ///< max L(t)
    Bytes spillLowerBound = 0;        ///< bytes of candidates that cannot all be pinned
    Bytes pinnedUpperBound = 0;       ///< candidate bytes minus spillLowerBound
};

[[nodiscard]] Bounds bounds(const Problem& problem);

}  // namespace memplan::solve

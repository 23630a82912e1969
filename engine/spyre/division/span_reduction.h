// SPDX-License-Identifier: Apache-2.0
// Pass 1 of work division: the splits that the per-core span limit forces
// (spyre-layouts-and-work-division 10).
#pragma once

#include "engine/spyre/division/iteration_space.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// A warning of a pure function: code of codes.md and sentence.
struct Notice {
    std::string code;
    std::string message;
};

struct MustSplit {
    Splits splits;                ///< per loop; 0 = no entry, 1 = looked at and left whole
    std::vector<Notice> notices;  ///< SPN-002, SPN-003
};

struct SpanRule {
    int cores = 32;
    Bytes limit = 268'435'456;  ///< exactly the limit is allowed
};

/// For each tensor in order the fewest slices that bring its span under the limit. `committed` holds counts
/// that a user fixed before (per loop, 0 = none); SPN-001 when one of them exceeds every divisor, which
/// cannot happen from a clean start (19.2).
[[nodiscard]] Result<MustSplit> mustSplit(const IterationSpace& space, const SpanRule& rule,
                                          const Splits& committed = {});

/// SPN-004 when more than one loop outside the output has an entry: at most one reduction loop can be cut.
[[nodiscard]] Result<void> checkReductionSplits(const IterationSpace& space, const Splits& entries);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The three division passes on one operation (spyre-layouts-and-work-division 10-13).
#pragma once

#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/distribute.h"
#include "engine/spyre/division/span_reduction.h"

#include <vector>

namespace memplan::spyre {

struct DivisionRule {
    SpanRule span;
    bool kFast = true;
};

struct OpDivision {
    Splits spanSplits;  ///< after pass 1, per loop; 1 = not split
    Priorities order;   ///< before the reductions are dropped for a committed reduction
    bool kFastApplied = false;
    Splits splits;
    std::vector<Notice> notices;  ///< SPN-002, SPN-003, WDV-002, WDV-003
};

/// WDV-001 when there are not 1 to 32 cores.
[[nodiscard]] Result<void> checkCores(std::int64_t cores);

/// Computed and divided at all: top-k runs on one core (16).
[[nodiscard]] bool isDivided(const Op& op);

/// Pass 1: forced splits of an op, ones included as 1. SPN-001, SPN-004.
[[nodiscard]] Result<MustSplit> forcedSplits(const IterationSpace& space, const SpanRule& rule);

/// Pass 2 for the committed splits of pass 1.
[[nodiscard]] Result<Distribution> distributeRest(const IterationSpace& space, std::int64_t cores,
                                                  const Splits& committed);

/// WDV-003 for every tensor whose span is above the limit under the final splits.
[[nodiscard]] std::vector<Notice> spanNotices(const IterationSpace& space, const Splits& splits, Bytes limit);

/// All three passes. Errors: WDV-001, SPN-001, SPN-004, INT-001.
[[nodiscard]] Result<OpDivision> planOp(const Op& op, const IterationSpace& space, const DivisionRule& rule);

}  // namespace memplan::spyre

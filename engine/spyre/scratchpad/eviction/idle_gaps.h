// SPDX-License-Identifier: Apache-2.0
// Where a buffer rests between two uses, and what a departure from the chip there may look like
// (spyre-scratchpad 14.1b).
#pragma once

#include "engine/spyre/scratchpad/moves.h"

#include <set>
#include <vector>

namespace memplan::spyre {

/// A stretch of at least one step between two neighbouring uses, in which nothing of a loop group is cut.
struct IdleGap {
    BufferId buffer;
    std::size_t leave = 0;                         ///< list position in front of which an lx_evict may stand
    std::size_t come = 0;                          ///< the same for an lx_reload; leave < come
    std::vector<OpId> readers;                     ///< uses behind the gap
    std::int64_t readsBefore = 0, readsAfter = 0;  ///< per run; an lx_evict is no read
    Bytes weight = 0;                              ///< size * steps of the gap
};

/// Gaps worth a trial: of every candidate without address, and of placed ones in whose gap such a candidate lives.
/// By descending weight, then buffer, then position. `kept` are left alone.
[[nodiscard]] std::vector<IdleGap> idleGaps(const Program& program, const std::vector<ScratchpadState::Entry>& entries,
                                            const std::set<BufferId>& kept);

/// Departures to try at a gap, the one that keeps most on chip first: out and back, out only, back only.
[[nodiscard]] std::vector<MovePlan> departures(const Program& program, const IdleGap& gap);

}  // namespace memplan::spyre

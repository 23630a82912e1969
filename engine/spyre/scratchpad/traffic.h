// SPDX-License-Identifier: Apache-2.0
// Main-memory traffic of a program with placements (spyre-scratchpad 12).
#pragma once

#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <cstdint>
#include <vector>

namespace memplan::spyre {

/// Device bytes of all cores, padding included; each op counts a distinct buffer it reads once and
/// every buffer it writes once, unless the buffer is on chip. In a counted loop an access counts for every
/// iteration of the levels at which it does not advance. Allocations move nothing.
struct OpTraffic {
    Bytes read = 0;
    Bytes write = 0;
    std::int64_t elements = 0;  ///< the same accesses in host elements
};

[[nodiscard]] std::vector<OpTraffic> trafficPerOp(const Program& program,
                                                  const std::vector<ScratchpadState::Entry>& entries);

/// Accesses of one run to the whole buffer: one for each op, times the iterations that repeat it.
[[nodiscard]] std::int64_t accessesPerRun(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer);

/// How many of them residency saves: all, less the one read that a copy of an input cannot avoid and the write of that
/// copy; of an output with a copy less the write and the read of the copy.
[[nodiscard]] std::int64_t accessesSaved(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer);

/// Bytes per run that the residency of this buffer saves: its accesses, less the one read that a
/// clone of an input cannot avoid.
[[nodiscard]] Bytes savedBy(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Loops and accesses of one operation on their way from a graph op to a program op.
#pragma once

#include "engine/spyre/program.h"

#include <cstdint>
#include <vector>

namespace memplan::spyre {

/// One access before extent-1 loops are removed: coefficient per entry of the graph op's `iter`.
struct RawAccess {
    BufferId buffer;
    std::vector<std::int64_t> coefficients;
    std::int64_t offset = 0;
    bool indirect = false;
};

struct LoopNest {
    std::vector<IterDim> dims;
    std::vector<RawAccess> reads;
    RawAccess write;
};

/// Fills loops, reads and write of `op`: loops without those of extent 1, output dimensions first and
/// outermost first, then the reduced ones; accesses over them.
void emitLoops(Op& op, const LoopNest& nest);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// How the accesses of a tiled op move with its loops (spyre-scratchpad 3.1, 12).
#pragma once

#include "engine/spyre/program.h"

#include <map>
#include <vector>

namespace memplan::spyre {

/// The loops with the extents they have over all iterations. Coordinates of a full buffer are taken over
/// these: over the tile's own extents the terms of a tile of one stick or one row would vanish.
[[nodiscard]] std::vector<LoopVar> fullLoops(const Op& op);

/// The access moves at that level: its index holds a loop that the level tiles, and the buffer holds more
/// than one tile.
[[nodiscard]] bool advancesAt(const Op& op, const Access& access, const Buffer& buffer, std::size_t level);
[[nodiscard]] bool advances(const Op& op, const Access& access, const Buffer& buffer);  ///< at any level

/// How often the access touches the whole buffer in one run: the product of the counts of the levels at
/// which it does not advance.
[[nodiscard]] std::int64_t tripFactor(const Op& op, const Access& access, const Buffer& buffer);

/// Where the loops of a program end, in list positions.
class LoopExtents {
public:
    explicit LoopExtents(const Program& program);

    /// One past the last op of the outermost loop that holds `reader` and not `writer` (nullptr: written
    /// before the program starts); 0 when there is no such loop.
    [[nodiscard]] Step endOfLoopWithout(const Op& reader, const Op* writer) const;

    /// Depth of that loop, from 0; at least the reader's number of loops when there is none.
    [[nodiscard]] static std::size_t depthWithout(const Op& reader, const Op* writer);

private:
    std::map<std::vector<int>, Step> end_;  ///< by path
};

/// Product of all counts of the op, 1 outside of loops.
[[nodiscard]] std::int64_t iterations(const Op& op);

}  // namespace memplan::spyre

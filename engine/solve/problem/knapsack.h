// SPDX-License-Identifier: Apache-2.0
// Covering knapsacks of the spill bound (scratchpad 8): which buffers to give up so that enough room is freed.
#pragma once

#include "engine/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::solve {

/// One buffer in the knapsack: giving it up frees `room` bytes and costs `cost`.
struct CoverItem {
    Bytes room = 0;
    Bytes cost = 0;
};

/// Live buffers in fixed order of cost per byte of room: sums and the continuous minimum in logarithmic time.
class CoverTree {
public:
    explicit CoverTree(std::size_t count);

    /// Sets leaf `rank`; ranks stand in rising order of cost per room. `saving` is the padding behind the buffer.
    void set(std::size_t rank, CoverItem item, Bytes saving);

    [[nodiscard]] Bytes room() const { return nodes_[1].room; }
    [[nodiscard]] Bytes largestSaving() const { return nodes_[1].saving; }
    /// Least cost that frees at least `needed` bytes when the last buffer may be given up in part, rounded up.
    [[nodiscard]] Bytes cheapest(Bytes needed) const;

private:
    struct Node {
        Bytes room = 0;
        Bytes cost = 0;
        Bytes saving = 0;
    };
    std::size_t leaves_ = 1;
    std::vector<Node> nodes_;
};

/// Least cost that frees at least `needed` bytes, every buffer whole; after `maxNodes` search nodes the continuous
/// minimum, which is not above it. All rooms together must reach `needed`.
[[nodiscard]] Bytes cheapestCover(std::vector<CoverItem> items, Bytes needed, std::int64_t maxNodes);

}  // namespace memplan::solve
